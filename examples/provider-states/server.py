"""A provider-states endpoint (docs/provider-states.md) in one file, without packages: a template for your own.

It prepares states by calls of the service at BASE_URL; put your own test data in the place of these calls, and add states.

    BASE_URL=… CLIENT_ID=… CLIENT_SECRET=… STATES_TOKEN=… python3 examples/provider-states/server.py
"""

import base64
import json
import os
import random
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE_URL = os.environ.get("BASE_URL", "")
PAIR = f"{os.environ.get('CLIENT_ID', '')}:{os.environ.get('CLIENT_SECRET', '')}"
BASIC = "Basic " + base64.b64encode(PAIR.encode()).decode()
TOKEN = os.environ.get("STATES_TOKEN")
PERMISSIONS = ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS", "CREATE_QUOTES", "EXECUTE_QUOTES", "MANAGE_EXTERNAL_ACCOUNTS"]

class Refusal(Exception):
    """The state is not there, or not with these params: 404 or 422 with the reason, which the report shows."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status

def call(method, path, body=None, is_platform=True):
    """One call of the service as the platform."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE_URL + path, data=data, method=method)
    request.headers = {"Content-type": "application/json", "Authorization": BASIC} if is_platform else {}
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{method} {path} answered {error.code}: {error.read()[:200]!r}") from error
    return json.loads(text) if text else {}

def new_customer():
    name = f"states-{uuid.uuid4()}"
    address = {"line1": "1 Example Street", "city": "Austin", "state": "TX", "postalCode": "78701", "country": "US"}
    return call("POST", "/customers", {
        "customerType": "INDIVIDUAL", "platformCustomerId": name, "email": f"{name}@example.com",
        "fullName": "Ada Example", "birthDate": "1990-12-10", "address": address,
    })

def internal_account(customer_id, currency, balance):
    """The customer's account in this currency, with this much money, in the smallest unit."""
    for account in call("GET", f"/customers/internal-accounts?customerId={customer_id}")["data"]:
        held = account["balance"]["currency"]
        if (held["code"] if isinstance(held, dict) else held) == currency:
            if balance > 0:
                call("POST", f"/sandbox/internal-accounts/{account['id']}/fund", {"amount": balance})
            return account["id"]
    raise Refusal(422, f"a new customer has no account in {currency}")

def external_account(customer_id, currency, rails=("ACH", "WIRE")):
    info = {
        "accountType": f"{currency}_ACCOUNT", "paymentRails": list(rails), "bankName": "Example Bank",
        "accountNumber": str(random.randint(10**9, 10**10 - 1)), "routingNumber": "021000021",
    }
    return call("POST", "/customers/external-accounts", {"customerId": customer_id, "currency": currency, "accountInfo": info})

def agent(params):
    currency, balance = params.get("currency", "USD"), params.get("balance", 1_000_000)
    daily = params.get("dailyLimit", 100_000_000)
    limits = {"currency": currency, "perTransactionLimit": params.get("perTransactionLimit", daily), "dailyLimit": daily}
    policy = {
        "permissions": params.get("permissions", PERMISSIONS),
        "defaultExecutionMode": params.get("execution", "AUTO"),
        "spendingLimits": limits,
    }
    if "approvalThreshold" in params:
        policy["approvalThresholds"] = {"currency": currency, "amount": params["approvalThreshold"]}
    customer = new_customer()
    source = internal_account(customer["id"], currency, balance)
    destination = external_account(customer["id"], currency, params.get("rails", ("ACH", "WIRE")))
    created = call("POST", "/agents", {"name": "States", "customerId": customer["id"], "policy": policy})
    code = created["deviceCode"]["code"] if isinstance(created["deviceCode"], dict) else created["deviceCode"]
    redeemed = call("POST", f"/agents/device-codes/{code}/redeem", is_platform=False)
    return {
        "agentId": redeemed["agentId"], "accessToken": redeemed["accessToken"], "customerId": customer["id"],
        "platformCustomerId": customer["platformCustomerId"], "sourceAccountId": source,
        "destinationAccountId": destination["id"], "currency": currency, "balance": balance,
        "supportedRails": destination["accountInfo"]["paymentRails"],
    }

def foreign_accounts(params):
    currency, customer_id = params.get("currency", "USD"), new_customer()["id"]
    account_id = internal_account(customer_id, currency, 0)
    external_id = external_account(customer_id, currency)["id"]
    return {"customerId": customer_id, "internalAccountId": account_id, "externalAccountId": external_id}

def execution_failure(params):
    """An agent that asks for more than its account holds."""
    return {**agent({**params, "balance": 10_000}), "amount": 50_000}

POLICY = {"permissions", "execution", "approvalThreshold", "perTransactionLimit", "dailyLimit", "currency", "rails"}
# Each state, with the params that it understands: every other param is refused, never ignored.
STATES = {
    "agent": (POLICY | {"balance"}, agent),
    "foreign-accounts": ({"currency"}, foreign_accounts),
    "execution-failure": (POLICY, execution_failure),
}

def prepare(state, params=None, action="setup"):
    params = params or {}
    if action == "teardown":
        return call("DELETE", f"/agents/{params['agentId']}") if "agentId" in params else {}
    if state not in STATES:
        raise Refusal(404, f"there is no state {state}")
    known, setup = STATES[state]
    if strange := sorted(set(params) - known):
        raise Refusal(422, f"{state} cannot be prepared with {', '.join(strange)}")
    return setup(params)

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
        if TOKEN and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.answer(401, {"message": "wrong token"})
        try:
            values = prepare(asked.get("state"), asked.get("params"), asked.get("action", "setup"))
        except Refusal as refusal:
            return self.answer(refusal.status, {"message": str(refusal)})
        except Exception as error:  # the report shows why
            return self.answer(500, {"message": str(error)})
        self.answer(200, values)

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass

if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4020"))), Handler)
    print(f"provider states on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
