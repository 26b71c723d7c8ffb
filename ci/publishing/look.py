"""Looks at the site in a browser, as ci/site-test says: look.py FOLDER PATH."""
import functools
import http.server
import json
import os
import sys
import threading
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

# What is a reader's first, what has the most of everything, and what is long.
PAGES = ["", "start/first-minute/", "concepts/case/", "guides/pytest/", "reference/contract/", "reference/findings/"]


def serve(folder, path):
    """The folder below the path, on a port that the kernel picks; anything else is not found."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def translate_path(self, target):
            if not target.startswith(path):
                return "/nowhere"
            return super().translate_path("/" + target.removeprefix(path))

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def browser():
    options = webdriver.ChromeOptions()
    for name in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"):
        options.add_argument(name)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


class Look:
    def __init__(self, driver, host, root):
        self.driver, self.host, self.root = driver, host, root
        self.problems = []

    def wait(self, condition, what):
        return WebDriverWait(self.driver, 20).until(lambda driver: condition(driver), f"waited for {what}")

    def expect(self, holds, problem):
        if not holds:
            self.problems.append(problem)

    def open(self, page):
        self.driver.get(f"{self.host}{self.root}{page}")
        self.wait(lambda driver: driver.execute_script("return document.readyState") == "complete", page)

    def search(self):
        """Whoever looks for "slow" finds a page, and gets there."""
        self.open("")
        driver = self.driver
        driver.find_element(By.TAG_NAME, "body").send_keys("/")
        field = self.wait(
            lambda driver: next((e for e in driver.find_elements(By.CSS_SELECTOR, "input, dialog input")
                                 if e.is_displayed() and e.get_attribute("type") in ("text", "search", "")), None),
            "the field of the search")
        field.send_keys("slow")
        link = self.wait(
            lambda driver: next((e for e in driver.find_elements(By.CSS_SELECTOR, "a[href]")
                                 if e.is_displayed() and "slow" in e.text.lower()
                                 and "highlight" in (e.get_attribute("href") or "") + e.get_attribute("innerHTML").lower()
                                 or e.is_displayed() and e.find_elements(By.CSS_SELECTOR, "mark")), None),
            "a result of the search for slow")
        target = link.get_attribute("href")
        link.send_keys(Keys.ENTER)
        self.wait(lambda driver: driver.current_url.split("#")[0].split("?")[0] == target.split("#")[0].split("?")[0],
                  f"the page {target}")
        self.expect("slow" in driver.find_element(By.TAG_NAME, "article").text.lower(), f"no slow on {target}")

    def copy(self):
        """A block is copied as it stands there."""
        self.open("start/first-minute/")
        driver = self.driver
        driver.execute_cdp_cmd(
            "Browser.grantPermissions",
            {"origin": self.host, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        button = self.wait(
            lambda driver: next(iter(driver.find_elements(By.CSS_SELECTOR, "button[data-clipboard-target], button.md-code__button")), None),
            "a button that copies a block")
        block = button.find_element(By.XPATH, "ancestor::*[.//code][1]//code").get_attribute("textContent")
        driver.execute_script("arguments[0].click()", button)
        copied = self.wait(
            lambda driver: driver.execute_async_script(
                "navigator.clipboard.readText().then(arguments[0], () => arguments[0](''))"),
            "what was copied")
        self.expect(copied.strip() == block.strip(), f"copied {copied!r}, expected {block!r}")

    def barriers(self, scheme):
        axe = os.environ.get("UNDERSTUDY_AXE")
        if not axe:
            return print("look.py: axe-core is not here, so barriers are not looked for")
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        source = Path(axe).read_text(encoding="utf-8")
        for page in PAGES:
            self.open(page)
            self.driver.execute_script(source)
            found = self.driver.execute_async_script(
                "axe.run(document, { resultTypes: ['violations'] }).then(r => arguments[0](r.violations))")
            for violation in found:
                nodes = [node["target"] for node in violation["nodes"]][:3]
                self.problems.append(f"/{page} in {scheme}: {violation['id']}: {violation['help']}: {nodes}")

    def widths(self):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True})
        for page in PAGES:
            self.open(page)
            width = self.driver.execute_script("return document.scrollingElement.scrollWidth")
            self.expect(width <= 390, f"/{page} is {width} wide in a window of 390")
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def hosts(self):
        """What was requested since the browser was started, and complaints of pages."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                self.expect(url.startswith((self.host, "data:", "blob:", "chrome")), f"requested {url}")
        for entry in self.driver.get_log("browser"):
            self.expect(entry["level"] != "SEVERE", f"the browser says: {entry['message']}")

    def pictures(self, folder):
        for page in PAGES:
            self.open(page)
            self.driver.save_screenshot(f"{folder}/{(page or 'index').strip('/').replace('/', '-')}.png")


def main():
    folder, path = sys.argv[1], sys.argv[2]
    host = serve(folder, path)
    driver = browser()
    try:
        look = Look(driver, host, path + "latest/")
        look.search()
        look.copy()
        look.barriers("light")
        look.barriers("dark")
        look.widths()
        look.pictures(Path(folder).parent)
        look.hosts()
    finally:
        driver.quit()
    print("\n".join(look.problems) or f"{len(PAGES)} pages looked at: nothing wrong")
    sys.exit(1 if look.problems else 0)


main()
