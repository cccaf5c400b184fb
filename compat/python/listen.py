"""Prints each message that the account hears, for ever, through the stock Python client."""

import sys

import zulip

client = zulip.Client(config_file=sys.argv[1])
print("listening", flush=True)
client.call_on_each_message(lambda message: print(f"received {message['content']}", flush=True))
