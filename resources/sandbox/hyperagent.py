"""Calls the app's tools from a script. Each call goes through the same checks as a tool call of the model.

    import hyperagent
    for name in hyperagent.list_files():
        print(name, len(hyperagent.read_file(name)))

Only scripts of `execute_script` are answered. A call that is refused or fails raises `HyperagentError`.
"""
import json
import socket

_PORT = 8119


class HyperagentError(Exception):
    """The app did not do what was asked; the text says why."""


def _call(tool, arguments):
    request = json.dumps({"tool": tool, "arguments": arguments}).encode() + b"\n"
    try:
        with socket.create_connection(("127.0.0.1", _PORT), 5) as connection:
            # The user may be asked first, so the answer has no time limit.
            connection.settimeout(None)
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            pieces = []
            while piece := connection.recv(65536):
                pieces.append(piece)
    except OSError as error:
        raise HyperagentError(f"cannot reach the app: {error}") from error
    if not pieces:
        raise HyperagentError("the app answers only while a script of execute_script runs")
    answer = json.loads(b"".join(pieces))
    if not answer["ok"]:
        raise HyperagentError(answer["content"])
    return answer["content"] if answer.get("data") is None else answer["data"]


def run_command(command, timeout_seconds=None):
    """Runs a bash command; returns {"exit_code", "stdout", "stderr"}. A command that fails does not raise."""
    limit = {} if timeout_seconds is None else {"timeout_seconds": timeout_seconds}
    return _call("run_command", {"command": command, **limit})


def read_file(path, offset=None):
    """The text of a file of /workspace, 64 KB at a time: a longer one ends with the offset (in bytes) to read on with."""
    start = {} if offset is None else {"offset": offset}
    return _call("read_file", {"path": str(path), **start})


def write_file(path, content):
    """Writes a text file of /workspace."""
    return _call("write_file", {"path": str(path), "content": content})


def list_files(path="."):
    """Names in a folder of /workspace; folder names end with a slash."""
    return _call("list_files", {"path": str(path)})


def browse(url):
    """The readable text of a page."""
    return _call("browse", {"url": url})


def web_search(query):
    """Sources, best first: a list of {"url", "title", "snippet", "publishedAt", "provider"}."""
    return _call("web_search", {"query": query})
