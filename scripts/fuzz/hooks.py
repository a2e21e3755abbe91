"""Hooks of the fuzzer: signs in again when the token has ended, and keeps the fuzzer from ending its own access."""

import ast
import json
import os
import threading

import requests
import schemathesis
from requests.adapters import HTTPAdapter

URL = os.environ["FUZZ_URL"]
LOGIN = json.loads(os.environ["FUZZ_LOGIN"])
# A request that names one of these would delete, rotate or lock what the fuzzer signs in with.
OWN = {LOGIN[name] for name in ("client_id", "username") if name in LOGIN}

# Python before 3.11.8 fails when two threads parse code at the same time, as the threads of the fuzzer do.
PARSING = threading.RLock()
parse_code = ast.parse


def parse_alone(*arguments, **options):
    with PARSING:
        return parse_code(*arguments, **options)


ast.parse = parse_alone


class OtherAddress(HTTPAdapter):
    """The fuzzer sends wrong passwords, for which the server blocks its address."""

    def init_poolmanager(self, *arguments, **options):
        super().init_poolmanager(*arguments, source_address=("127.0.0.2", 0), **options)


def sign_in():
    with requests.Session() as session:
        session.mount("http://", OtherAddress())
        reply = session.post(f"{URL}/v3/access_token", json=LOGIN, timeout=60)
        reply.raise_for_status()
        return reply.json()["access_token"]


@schemathesis.auth(refresh_interval=30)
class SignIn:
    def get(self, case, context):
        return sign_in()

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


def names_own(value):
    if isinstance(value, dict):
        return any(names_own(each) for each in value.values())
    return isinstance(value, str) and value in OWN


@schemathesis.hook
def filter_case(context, case):
    parts = [case.path_parameters, case.query, case.body]
    return case.method == "GET" or not any(names_own(part) for part in parts)
