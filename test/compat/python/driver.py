"""Drives the vendor's Python client for the tests, unmodified: one call per line of stdin, its answer on a line of stdout.

A call: {"access": {"baseUrl", "token", "credential"?: {"id", "privateKey"}}, "operation": "wallets.get_wallet", "arguments": {...}}
An answer: {"status", "value", "misfits"}, where misfits lists the places at which the value violates the client's declared type;
or {"status", "message", "details"} of the client's own error; the status is null if no answer came.
"""

import inspect
import json
import sys
import types
import typing

from dfns_sdk import DfnsClient, DfnsClientConfig, DfnsError, KeySigner
from typing_extensions import NotRequired, is_typeddict

clients = {}
statuses = []


def client_of(access):
    key = json.dumps(access, sort_keys=True)
    if key not in clients:
        credential = access.get("credential")
        signer = credential and KeySigner(credential["id"], credential["privateKey"])
        clients[key] = DfnsClient(DfnsClientConfig(access["token"], access["baseUrl"], signer))
        clients[key]._http._client.event_hooks["response"] = [lambda response: statuses.append(response.status_code)]
    return clients[key]


def plain(name):
    return name.replace("_", "").lower()


def misfits(value, hint, place):
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if is_typeddict(hint) and isinstance(value, dict):
        members = {plain(name): member for name, member in value.items()}
        found = []
        for name, part in typing.get_type_hints(hint, include_extras=True).items():
            if plain(name) in members:
                found += misfits(members[plain(name)], part, f"{place}.{name}")
            elif typing.get_origin(part) is not NotRequired:
                found.append(f"{place}.{name} is missing")
        return found
    if origin is NotRequired:
        return misfits(value, parts[0], place)
    if origin in (typing.Union, types.UnionType):
        return min((misfits(value, part, place) for part in parts), key=len)
    if origin is list and isinstance(value, list):
        return [each for at, item in enumerate(value) for each in misfits(item, parts[0], f"{place}[{at}]")]
    if origin is typing.Literal:
        return [] if value in parts else [f"{place} is {value}, none of its values"]
    wanted = {None: type(None), float: (int, float)}.get(hint, origin or hint)
    fits = hint is typing.Any or isinstance(value, wanted) and not (isinstance(value, bool) and wanted is int)
    return [] if fits else [f"{place} is a {type(value).__name__}"]


def carry_out(call):
    area, name = call["operation"].split(".")
    operation = getattr(getattr(client_of(call["access"]), area), name)
    parameters = inspect.signature(operation).parameters.values()
    needed = {each.name: {} for each in parameters if each.name in ("body", "query") and each.default is each.empty}
    try:
        value = operation(**{**needed, **call["arguments"]})
    except DfnsError as error:
        return {"status": error.status_code, "message": error.message, "details": error.details}
    except Exception as error:  # such as a timeout, which must not end the driver
        return {"status": None, "message": f"{type(error).__name__}: {error}", "details": {}}
    hint = typing.get_type_hints(operation, include_extras=True)["return"]
    return {"status": statuses[-1], "value": value, "misfits": misfits(value, hint, call["operation"])}


for line in sys.stdin:
    print(json.dumps(carry_out(json.loads(line))), flush=True)
