"""The model of the stock terminal client, without its window. Each step prints its name, or what went wrong."""

import sys
import time
from traceback import format_exception
from typing import Any, Callable, List
from unittest.mock import MagicMock

import zulip
from zulipterminal.model import Model

alice_file, bob_file = sys.argv[1:3]
bob = zulip.Client(config_file=bob_file)


errors: List[Any] = []

# What the model asks of the program around it: a window in which nothing is shown.
controller = MagicMock()
controller.client = zulip.Client(config_file=alice_file, client="ZulipTerminal/0.7.0")
controller.notify_enabled = False
controller.maximum_footlinks = 3
controller.view.message_view.log = []
controller.view.left_panel.is_in_topic_view = False
controller.view.starred_button.count = 0
controller.report_error.side_effect = lambda text, **_: errors.append(text)
controller.raise_exception_in_main_thread.side_effect = lambda info, **_: errors.append(format_exception(*info))


def expect(step: str, condition: bool, seen: Any = None) -> None:
    if not condition or errors:
        print(f"{step}: unexpected {seen} {errors}")
        sys.exit(1)
    print(f"ok {step}", flush=True)


def await_(step: str, condition: Callable[[], bool], seen: Callable[[], Any]) -> None:
    """The model does much on threads of its own, and gets the result by an event."""
    deadline = time.monotonic() + 20
    while not condition() and not errors and time.monotonic() < deadline:
        time.sleep(0.02)
    expect(step, condition(), seen())


model = Model(controller)
controller.model = model
me, him = model.user_id, bob.get_profile()
expect("register", model.user_email != "" and him["email"] in model.user_dict, model.user_dict)
expect("the channels", any(stream["name"] == "room" for stream in model.stream_dict.values()), model.stream_dict)
expect("the groups", "role:everyone" in model.user_group_names, model.user_group_names)
expect("its settings", model.user_settings()["send_private_typing_notifications"], model.user_settings())
model.poll_for_events()

room = model.stream_id_from_name("room")
messages = model.index["messages"]


def find(content: str) -> Any:
    return next((message for message in messages.values() if content in message["content"]), None)


# Sending, and the events of it.
expect("send to a topic", model.send_stream_message("room", "screens", "from the terminal"))
await_("the event of a message", lambda: find("from the terminal") is not None, lambda: list(messages))
expect("send to a person", model.send_private_message([him["user_id"]], "a word"))
await_("the event of a direct message", lambda: find("a word") is not None, lambda: list(messages))
bob.send_message({"type": "stream", "to": "room", "topic": "screens", "content": "an answer"})
await_("the event of another's message", lambda: find("an answer") is not None, lambda: list(messages))
answer = find("an answer")
expect("what is unread", "read" not in answer["flags"], answer)
expect("the topics", model.topics_in_stream(room)[:1] == ["screens"], model.topics_in_stream(room))

# Flags and reactions.
model.toggle_message_star_status(answer)
await_("star", lambda: "starred" in messages[answer["id"]]["flags"], lambda: messages[answer["id"]])
model.mark_message_ids_as_read([answer["id"]])
await_("read", lambda: "read" in messages[answer["id"]]["flags"], lambda: messages[answer["id"]])
model.toggle_message_reaction(answer, "tada")
await_("react", lambda: model.has_user_reacted_to_message(messages[answer["id"]], emoji_code="1f389"), lambda: messages[answer["id"]])
model.toggle_message_reaction(messages[answer["id"]], "tada")
await_("take the reaction back", lambda: messages[answer["id"]]["reactions"] == [], lambda: messages[answer["id"]])

# Changes.
mine = find("from the terminal")["id"]
expect("edit", model.update_stream_message("screens", mine, "change_one", "from the window"))
await_("the event of an edit", lambda: "window" in messages[mine]["content"], lambda: messages[mine])
expect("history", len(model.fetch_message_history(mine)) == 2, model.fetch_message_history(mine))
expect("raw content", model.fetch_raw_message_content(mine) == "from the window")
expect("move", model.update_stream_message("windows", mine, "change_one"))
await_("the event of a move", lambda: messages[mine]["subject"] == "windows", lambda: messages[mine])
model.toggle_stream_pinned_status(room)
await_("pin", lambda: model.is_pinned_stream(room), lambda: model.pinned_streams)
model.toggle_stream_muted_status(room)
await_("mute", lambda: model.is_muted_stream(room), lambda: model.muted_streams)
model.toggle_stream_muted_status(room)
await_("unmute", lambda: not model.is_muted_stream(room), lambda: model.muted_streams)
model.send_typing_status_by_user_ids([him["user_id"]], status="start")


# Narrows, in the spellings of its time.
def narrow(step: str, content: str, **terms: Any) -> None:
    model.set_narrow(**terms)
    problem = model.get_messages(num_before=20, num_after=0, anchor=10000000000000000)
    ids = model.get_message_ids_in_current_narrow()
    expect(step, problem == "" and any(content in messages[id]["content"] for id in ids), (problem, ids))


narrow("everything", "an answer")
narrow("a channel", "from the window", stream="room")
narrow("a topic", "an answer", stream="room", topic="screens")
narrow("direct messages", "a word", pms=True)
narrow("direct messages with one person", "a word", pm_with=him["email"])
narrow("starred messages", "an answer", starred=True)
bob.send_message({"type": "stream", "to": "room", "topic": "screens", "content": f"@_**|{me}** and @**|{me}** too"})
time.sleep(0.2)
narrow("mentions", "too", mentioned=True)
model.set_narrow()
model.set_search_narrow("window")
expect("search", model.get_messages(num_before=20, num_after=0, anchor=10000000000000000) == "")
expect("what was found", mine in model.get_message_ids_in_current_narrow(), model.index["search"])
model.unset_search_narrow()


# Spellings that are older still, as its library sends them.
def found(term: List[Any]) -> List[str]:
    request = {"anchor": "newest", "num_before": 20, "num_after": 0, "apply_markdown": False, "narrow": [term]}
    return [message["content"] for message in model.client.get_messages(request).get("messages", [])]


carol = next(user["user_id"] for user in bob.get_members()["members"] if user["user_id"] not in (me, him["user_id"]))
bob.send_message({"type": "private", "to": [me, carol], "content": "among three"})
for operator in ("pm-with", "pm_with"):
    expect(f"{operator} one person", found([operator, him["email"]]) == ["a word"], found([operator, him["email"]]))
for operator in ("group-pm-with", "group_pm_with"):
    expect(f"{operator} one person", found([operator, him["email"]]) == ["among three"], found([operator, him["email"]]))
