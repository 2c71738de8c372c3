# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium driven over WebDriver (https://www.w3.org/TR/webdriver2/)."""
import http.client
import json
import os
import re
import subprocess
import time

KEYS = {"Left": "\ue012", "Right": "\ue014", "Up": "\ue013", "Down": "\ue015", "Home": "\ue011",
        "End": "\ue010", "Escape": "\ue00c", "Shift": "\ue008",
        "Enter": "\ue007"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    def __init__(self, driver, binary, scratch):
        self.log = open(os.path.join(scratch, "chromedriver.log"), "w+")
        self.process = subprocess.Popen([driver, "--port=0"], stdout=self.log, stderr=self.log,
                                        env=dict(os.environ, HOME=scratch))
        self.port = self.wait_for_port()
        # The pages are our own, and root and many containers have no sandbox. By a pipe, since a
        # port is reached as "localhost", which a machine without /etc/hosts does not know.
        arguments = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox",
                     "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900",
                     "--user-data-dir=" + os.path.join(scratch, "profile"),
                     "--host-resolver-rules=MAP * ~NOTFOUND"]
        self.session = ""
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            # A busy machine takes longer than the 30 s that are usual.
            "timeouts": {"script": 300000, "pageLoad": 300000},
            "goog:chromeOptions": {"binary": binary, "args": arguments},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.session = "/session/" + answer["sessionId"]
        self.post("/url", url="about:blank")
        self.requests()  # those of the browser's own first page

    def wait_for_port(self):
        for _ in range(600):
            self.log.seek(0)
            found = re.search(r"started successfully on port (\d+)", self.log.read())
            if found:
                return int(found.group(1))
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError("chromedriver does not start")

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request(method, path, None if body is None else json.dumps(body),
                           {"Content-Type": "application/json"})
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError("%s: %s" % (path, " ".join(value["message"].split("\n")[:2])))
        return value

    def post(self, path, **body):
        return self.call("POST", self.session + path, body)

    def open(self, url):
        self.post("/url", url="about:blank")  # a change of the fragment alone does not load
        self.post("/url", url=url)

    def run(self, script, *arguments):
        return self.post("/execute/sync", script=script, args=list(arguments))

    def find(self, selector):
        return self.post("/element", using="css selector", value=selector)

    def text(self, selector):
        path = "%s/element/%s/text" % (self.session, self.find(selector)[ELEMENT])
        return " ".join(self.call("GET", path).split())

    def click(self, selector):
        self.post("/element/%s/click" % self.find(selector)[ELEMENT])

    def write(self, selector, text):
        element = self.find(selector)[ELEMENT]
        self.post("/element/%s/clear" % element)
        self.post("/element/%s/value" % element, text=text)

    def press(self, *names):
        """Keys that are down together, as for Shift and Right."""
        keys = [KEYS.get(name, name) for name in names]
        steps = [{"type": "keyDown", "value": key} for key in keys]
        steps += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.post("/actions", actions=[{"type": "key", "id": "keys", "actions": steps}])

    def hover(self, element):
        self.post("/actions", actions=[{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, "origin": element, "x": 0, "y": 0}]}])

    def point(self, x, y):
        """The pointer goes to a place of the window."""
        self.post("/actions", actions=[{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, "origin": "viewport", "x": x, "y": y}]}])

    def wait(self, script):
        """Until the script returns something true, at most a minute."""
        for _ in range(3000):
            if self.run(script):
                return
            time.sleep(0.02)
        raise RuntimeError("never: " + script)

    def devtools(self, command, **parameters):
        return self.post("/goog/cdp/execute", cmd=command, params=parameters)

    def complaints(self):
        """What the console holds since the last call: script errors, refused requests."""
        return [entry["message"] for entry in self.post("/se/log", type="browser")]

    def requests(self):
        """What was asked for since the last call."""
        events = [json.loads(entry["message"])["message"]
                  for entry in self.post("/se/log", type="performance")]
        return [event["params"]["request"]["url"] for event in events
                if event["method"] == "Network.requestWillBeSent"]

    def close(self):
        try:
            if self.session:
                self.call("DELETE", self.session)
        finally:
            self.process.terminate()
            self.process.wait(30)
            self.log.close()
