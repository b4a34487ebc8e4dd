"""A bot in ten lines: it plays random legal moves against the computer, or where an invitation leads.

    python examples/bot.py http://127.0.0.1:8642 classic
    python examples/bot.py "http://127.0.0.1:8642/j/GAME#SECRET"

Every response has the view of the bot's seat, and every view lists the legal moves. To play well, choose
better than at random: view["scene"] is what a person would see. The whole API: /api/openapi.json
"""

import json
import random
import sys
import time
import uuid
from typing import Any
from urllib.request import Request, urlopen

server, _, invitation = sys.argv[1].partition("/j/")
headers = {"Content-Type": "application/json"}


def ask(path: str, body: object = None) -> Any:
    """Send a GET request, or a POST request if there is a body, and return the response."""
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(server.rstrip("/") + path, data, headers), timeout=30) as answer:
        return json.load(answer)


game, _, secret = invitation.partition("#")
wish = {"invite": secret} if game else {"variant": sys.argv[2], "opponent": "computer"}
answer = ask(f"/api/games/{game}/join" if game else "/api/games", {"name": "Bot", "bearer": True, **wish})
headers["Authorization"] = "Bearer " + answer["token"]
view, path = answer["view"], "/api/games/" + answer["view"]["game"]
while view["phase"] != "over":
    if view["turn"]:
        move = {"do": "move", "move": random.choice(view["moves"])}
        view = ask(f"{path}/commands", {"id": uuid.uuid4().hex, "version": view["version"], **move})["view"]
    else:
        time.sleep(0.1)
        view = ask(path)
print(view["result"]["closing"])
