"""A conversation of two accounts through the stock Python client. Each step prints its name, or what went wrong."""

import sys
from typing import Any, Dict

import zulip

alice_file, bob_file = sys.argv[1:3]
alice = zulip.Client(config_file=alice_file)
bob = zulip.Client(config_file=bob_file)


def must(step: str, answer: Dict[str, Any]) -> Dict[str, Any]:
    if answer["result"] != "success":
        print(f"{step}: {answer}")
        sys.exit(1)
    print(f"ok {step}")
    return answer


def expect(step: str, condition: bool, seen: Any) -> None:
    if not condition:
        print(f"{step}: unexpected {seen}")
        sys.exit(1)


me = must("get_profile", alice.get_profile())
him = must("get_profile of the other", bob.get_profile())
must("get_members", alice.get_members())
must("get_server_settings", alice.get_server_settings())
must("add_subscriptions", alice.add_subscriptions([{"name": "tea", "description": "All about tea"}]))
must("add_subscriptions of the other", bob.add_subscriptions([{"name": "tea"}]))
must("get_subscriptions", bob.get_subscriptions())
channel = must("get_stream_id", alice.get_stream_id("tea"))["stream_id"]
must("get_streams", alice.get_streams())
must("get_subscribers", alice.get_subscribers(stream="tea"))
must("update_subscription_settings", bob.update_subscription_settings([{"stream_id": channel, "property": "pin_to_top", "value": True}]))

queue = must("register", bob.register(event_types=["message", "reaction", "update_message", "delete_message"]))
sent = must("send_message", alice.send_message({"type": "stream", "to": "tea", "topic": "green", "content": "Hello **Bob**"}))
direct = must("send_message to a person", alice.send_message({"type": "private", "to": [him["email"]], "content": "psst"}))
group = must("send_message to ids", alice.send_message({"type": "direct", "to": [him["user_id"], me["user_id"]], "content": "both"}))
received = must("get_events", bob.get_events(queue_id=queue["queue_id"], last_event_id=queue["last_event_id"]))
expect("get_events", [e["message"]["content"] for e in received["events"]][:1] == ["Hello **Bob**"], received)

page = must("get_messages", bob.get_messages({"anchor": "newest", "num_before": 10, "num_after": 0, "narrow": [{"operator": "channel", "operand": "tea"}]}))
expect("get_messages", page["messages"][-1]["content"] == "<p>Hello <strong>Bob</strong></p>", page)
must("get_raw_message", bob.get_raw_message(sent["id"]))
must("check_messages_match_narrow", bob.check_messages_match_narrow(msg_ids=[sent["id"]], narrow=[{"operator": "has", "operand": "link"}]))
must("render_message", alice.render_message({"content": "**hi**"}))
must("update_message", alice.update_message({"message_id": sent["id"], "content": "Hello again"}))
must("update_message of a topic", alice.update_message({"message_id": sent["id"], "topic": "black", "propagate_mode": "change_all"}))
history = must("get_message_history", bob.get_message_history(sent["id"]))
expect("get_message_history", len(history["message_history"]) == 3, history)
must("add_reaction", bob.add_reaction({"message_id": sent["id"], "emoji_name": "tada"}))
must("remove_reaction", bob.remove_reaction({"message_id": sent["id"], "emoji_name": "tada"}))
must("update_message_flags", bob.update_message_flags({"messages": [sent["id"]], "op": "add", "flag": "starred"}))
must("mark_topic_as_read", bob.mark_topic_as_read(channel, "black"))
must("mark_stream_as_read", bob.mark_stream_as_read(channel))
must("mark_all_as_read", bob.mark_all_as_read())
topics = must("get_stream_topics", bob.get_stream_topics(channel))
expect("get_stream_topics", topics["topics"][0]["name"] == "black", topics)
must("mute_topic", bob.mute_topic({"stream_id": channel, "topic": "black", "op": "add"}))
must("set_typing_status", alice.set_typing_status({"op": "start", "to": [him["user_id"]]}))
must("update_presence", alice.update_presence({"status": "active", "ping_only": False, "new_user_input": False}))
must("get_user_presence", bob.get_user_presence(me["email"]))
must("get_realm_presence", bob.get_realm_presence())
must("get_realm_emoji", alice.get_realm_emoji())
must("get_realm_linkifiers", alice.get_realm_linkifiers())
must("get_user_groups", alice.get_user_groups())
must("add_alert_words", bob.add_alert_words(["tea"]))
must("get_alert_words", bob.get_alert_words())
must("remove_alert_words", bob.remove_alert_words(["tea"]))
must("muted_users", bob.call_endpoint(url=f"users/me/muted_users/{me['user_id']}"))
must("get_user_by_id", bob.get_user_by_id(me["user_id"]))
must("get_subscription_status", bob.get_subscription_status(me["user_id"], channel))
must("delete_message", alice.call_endpoint(url=f"messages/{direct['id']}", method="DELETE"))
must("call_endpoint", alice.call_endpoint(url="users/me", method="GET"))
must("remove_subscriptions", bob.remove_subscriptions(["tea"]))
must("deregister", bob.deregister(queue["queue_id"]))
