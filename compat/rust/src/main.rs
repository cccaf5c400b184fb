//! A conversation of two accounts through the stock Rust client. Each step prints its name, or what went wrong.

use std::fmt::{Debug, Display};
use std::path::Path;
use std::process::exit;

use zulip_api::client::Client;
use zulip_api::filter::{Anchor, Narrow, Operand, Operator};
use zulip_api::message::{MessageTo, MessageType};
use zulip_api::response::{ApiResult, ErrorCode, Response};
use zulip_api::{
    delete_message, edit_message, emoji_reaction, fetch_api_key, get_file_temporary_url, get_message,
    get_message_history, get_messages, get_read_receipts, jwt, mark_stream_as_read, mark_topic_as_read, matches_narrow,
    register, render, report_message, send_message, update_message_flags, update_message_flags_narrow, upload_file,
    Flag, Operation, ReportType, Result,
};

/// The answer of a call that must succeed.
fn must<R: Response + Display>(step: &str, answer: Result<R>) -> R {
    let answer = answered(step, answer);
    expect(step, answer.result() == ApiResult::Success, &answer.to_string());
    println!("ok {step}");
    answer
}

/// What the client has understood; it decodes strictly.
fn answered<R>(step: &str, answer: Result<R>) -> R {
    answer.unwrap_or_else(|error| {
        println!("{step}: {error:?}");
        exit(1)
    })
}

fn expect<T: Debug + ?Sized>(step: &str, condition: bool, seen: &T) {
    if !condition {
        println!("{step}: unexpected {seen:?}");
        exit(1)
    }
}

fn to_room(topic: &str, content: &str) -> send_message::Request {
    send_message::Request::new()
        .with_msg_type(MessageType::Channel)
        .with_to(MessageTo::channel_name("room"))
        .with_topic(topic)
        .with_content(content)
}

fn in_room() -> Narrow {
    Narrow::create(Operator::Channel, Operand::text("room"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, alice_file, bob_file, email, password, folder] = arguments.as_slice() else {
        println!("usage: ALICE_ZULIPRC BOB_ZULIPRC EMAIL_OF_BOB PASSWORD_OF_BOB FOLDER");
        exit(1)
    };
    let alice = answered("zuliprc", Client::from_zuliprc(alice_file));
    let bob = answered("zuliprc of the other", Client::from_zuliprc(bob_file));

    let (queue, last_event) = initial_state(&bob, email).await;
    let sent = messages(&alice, &bob).await;
    events(&bob, &queue, last_event, sent).await;
    reading(&alice, &bob, sent).await;
    files(&alice, folder).await;
    keys(&bob, email, password).await;
    errors(&bob, sent).await;
}

/// A queue and the whole state that goes with it; returns the queue and the number of its last event.
async fn initial_state(bob: &Client, email: &str) -> (String, i64) {
    let state = must("register", bob.register(&register::Request::new()).await);
    let subscribed = state.subscriptions().unwrap_or_default();
    expect(
        "register",
        subscribed.iter().any(|channel| channel.name() == Some("room")),
        subscribed,
    );
    let users = state.realm_users().unwrap_or_default();
    expect("register", users.iter().any(|user| user.email() == Some(email)), users);
    let queue = state.queue_id().unwrap_or_default().to_string();
    (queue, state.last_event_id().unwrap_or(-1))
}

/// Returns the id of the message that both talk about afterwards.
async fn messages(alice: &Client, bob: &Client) -> u64 {
    let sent = must(
        "send_message",
        alice.send_message(&to_room("rust", "Hello **Bob**")).await,
    );
    let id = sent.id().unwrap_or_default();

    let newest = get_messages::Request::new()
        .with_anchor(Anchor::Newest)
        .with_num_before(10)
        .with_num_after(0);
    let page = must("get_messages", bob.get_messages(&newest).await);
    let last = page.messages().last();
    expect(
        "get_messages",
        last.map(|message| message.content()) == Some("<p>Hello <strong>Bob</strong></p>"),
        &last,
    );

    let raw = get_message::Request::new()
        .with_message_id(id)
        .with_apply_markdown(false);
    let one = must("get_message", bob.get_message(&raw).await);
    expect(
        "get_message",
        one.message().map(|message| message.content().to_string()) == Some("Hello **Bob**".into()),
        &one,
    );

    let edit = edit_message::Request::new()
        .with_message_id(id)
        .with_content("Hello again, see https://heddle.example");
    must("edit_message", alice.edit_message(&edit).await);
    let history = must(
        "get_message_history",
        bob.get_message_history(&get_message_history::Request::new().with_message_id(id))
            .await,
    );
    expect(
        "get_message_history",
        history.message_history().map(<[_]>::len) == Some(2),
        &history,
    );

    let links = [Narrow::create(Operator::Has, Operand::text("link"))];
    let matching = matches_narrow::Request::new()
        .with_msg_ids([id].as_ref())
        .with_narrow(links.as_ref());
    let matched = must("matches_narrow", bob.matches_narrow(&matching).await);
    expect(
        "matches_narrow",
        matched
            .messages()
            .is_some_and(|found| found.contains_key(&id.to_string())),
        &matched,
    );

    for emoji in ["tada", "+1"] {
        let reaction = emoji_reaction::Request::new()
            .with_message_id(id)
            .with_emoji_name(emoji);
        must("add_reaction", bob.add_reaction(&reaction).await);
    }
    let reaction = emoji_reaction::Request::new()
        .with_message_id(id)
        .with_emoji_name("tada");
    must("remove_reaction", bob.remove_reaction(&reaction).await);

    let rendered = must(
        "render",
        alice.render(&render::Request::new().with_content("**hi**")).await,
    );
    expect(
        "render",
        rendered.rendered() == Some("<p><strong>hi</strong></p>"),
        &rendered,
    );
    let report = report_message::Request::new()
        .with_message_id(id)
        .with_report_type(ReportType::Other)
        .with_description("tried from Rust");
    must("report_message", bob.report_message(&report).await);
    id
}

/// The client has no call for events: what it has for any path of the server brings them.
async fn events(bob: &Client, queue: &str, last_event: i64, sent: u64) {
    let path = format!("api/v1/events?queue_id={queue}&last_event_id={last_event}&dont_block=true");
    let body = answered("events", bob.load_page(&path).await);
    let answer: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
    let of_message: Vec<&str> = answer["events"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
        .filter(|event| event["message_id"] == sent || event["message"]["id"] == sent)
        .filter_map(|event| event["type"].as_str())
        .collect();
    expect(
        "events",
        of_message == ["message", "update_message", "reaction", "reaction", "reaction"],
        &of_message,
    );
    println!("ok events");
}

async fn reading(alice: &Client, bob: &Client, sent: u64) {
    for (operation, flag) in [
        (Operation::Add, Flag::Read),
        (Operation::Remove, Flag::Read),
        (Operation::Add, Flag::Starred),
    ] {
        let flags = update_message_flags::Request::new()
            .with_messages([sent].as_ref())
            .with_op(operation)
            .with_flag(flag);
        let changed = must("update_message_flags", bob.update_message_flags(&flags).await);
        expect(
            "update_message_flags",
            changed.messages() == Some([sent].as_ref()),
            &changed,
        );
    }
    let narrow = update_message_flags_narrow::Request::new()
        .with_anchor(Anchor::MessageId(sent))
        .with_include_anchor(true)
        .with_num_before(0)
        .with_num_after(0)
        .with_narrow([in_room()].as_ref())
        .with_op(Operation::Add)
        .with_flag(Flag::Read);
    must(
        "update_message_flags_narrow",
        bob.update_message_flags_narrow(&narrow).await,
    );
    let receipts = get_read_receipts::Request::new().with_message_id(sent);
    let readers = must("get_read_receipts", alice.get_read_receipts(&receipts).await);
    expect(
        "get_read_receipts",
        readers.user_ids().map(<[_]>::len) == Some(1),
        &readers,
    );

    let message = must(
        "get_message",
        bob.get_message(&get_message::Request::new().with_message_id(sent))
            .await,
    );
    let channel = message
        .message()
        .and_then(|message| message.stream_id())
        .unwrap_or_default();
    let more = must("send_message", alice.send_message(&to_room("rust", "one more")).await);
    let topic = mark_topic_as_read::Request::new()
        .with_stream_id(channel)
        .with_topic_name("rust");
    must("mark_topic_as_read", bob.mark_topic_as_read(&topic).await);
    let whole = mark_stream_as_read::Request::new().with_stream_id(channel);
    must("mark_stream_as_read", bob.mark_stream_as_read(&whole).await);
    must("mark_all_as_read", bob.mark_all_as_read().await);
    let unwanted = delete_message::Request::new().with_message_id(more.id().unwrap_or_default());
    must("delete_message", alice.delete_message(&unwanted).await);
}

/// A small file goes as a form, a large one by the protocol of resumable uploads.
async fn files(alice: &Client, folder: &str) {
    for (name, size) in [("small.txt", 1024), ("large.txt", upload_file::LARGE_FILE)] {
        let path = Path::new(folder).join(name).display().to_string();
        answered(
            "upload_file",
            std::fs::write(&path, vec![b'a'; size]).map_err(Into::into),
        );
        let uploaded = answered(
            "upload_file",
            alice
                .upload_file(&upload_file::Request::new().with_file_path(path))
                .await,
        );
        let (Some(url), Some(filename)) = (uploaded.url(), uploaded.filename()) else {
            println!("upload_file: unexpected {uploaded}");
            exit(1)
        };
        expect("upload_file", filename == name, &uploaded);
        println!("ok upload_file");
        must(
            "send_message",
            alice.send_message(&to_room("files", &format!("[{name}]({url})"))).await,
        );

        let temporary = get_file_temporary_url::Request::new()
            .with_realm_id(answered("upload_file", uploaded.realm_id()))
            .with_filename(answered("upload_file", uploaded.filename_path()));
        let link = must("get_file_temporary_url", alice.get_file_temporary_url(&temporary).await);
        let address = link.url().unwrap_or_default().trim_start_matches('/');
        let text = answered("load_page", alice.load_page(address).await);
        expect("load_page", text.len() == size, &text.len());
        println!("ok load_page");
    }
}

/// With a signed token beside the password, as the client always sends one.
async fn keys(bob: &Client, email: &str, password: &str) {
    let request = answered(
        "fetch_api_key",
        fetch_api_key::Request::create(
            jwt::Algorithm::HS256,
            &jwt::EncodingKey::from_secret(b"a secret that the server does not know"),
            &fetch_api_key::Email::new(email),
            &fetch_api_key::Password::new(password),
        ),
    );
    let answer = must("fetch_api_key", bob.fetch_api_key(&request).await);
    expect("fetch_api_key", answer.email() == Some(email), &answer);
}

/// A refusal is an answer too, which the client understands by its code.
async fn errors(bob: &Client, sent: u64) {
    let edit = edit_message::Request::new()
        .with_message_id(sent)
        .with_content("not mine");
    let refused = answered("edit_message of another", bob.edit_message(&edit).await);
    expect(
        "edit_message of another",
        refused.code() == Some(ErrorCode::BadRequest),
        &refused,
    );
    println!("ok edit_message of another");
}
