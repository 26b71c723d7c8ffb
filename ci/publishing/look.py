"""Looks at the site in a browser, as ci/site-test says: look.py FOLDER PATH."""
import functools
import http.server
import json
import os
import shutil
import sys
import threading
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

# What is a reader's first, what has the most of everything, and what is long.
PAGES = ["", "start/first-minute/", "concepts/case/", "guides/pytest/", "reference/contract/", "reference/findings/"]
# DocC's pages are looked at for what they request only: their barriers are not ours to remove.
LIBRARY = "swift/UnderstudyTesting/documentation/understudytesting/"


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
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


class Look:
    def __init__(self, driver, host, root):
        self.driver, self.host, self.root = driver, host, root
        self.problems = []

    def wait(self, condition, what):
        ignored = [NoSuchElementException]
        return WebDriverWait(self.driver, 20, ignored_exceptions=ignored).until(lambda driver: condition(driver), f"waited for {what}")

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
        self.wait(lambda driver: driver.find_element(By.CSS_SELECTOR, ".md-search__button"), "the search").click()
        # The search stands in a shadow tree.
        found = "return [...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean)" \
            ".flatMap(e => [...e.querySelectorAll('%s')])%s"
        field = self.wait(lambda driver: driver.execute_script(found % ("input", "[0]")), "its field")
        field.send_keys("slow")
        link = self.wait(
            lambda driver: driver.execute_script(
                found % ("a[href]", ".find(e => e.querySelector('mark, em, b, u, span'))")),
            "what it finds")
        target = link.get_attribute("href").split("?")[0].split("#")[0]
        field.send_keys(Keys.ENTER)
        self.wait(lambda driver: driver.current_url.split("?")[0].split("#")[0] == target, f"the page {target}")
        self.expect("slow" in driver.find_element(By.TAG_NAME, "article").text.lower(), f"no slow on {target}")

    def copy(self):
        """The commands of a session are copied, without what they print."""
        self.driver.execute_cdp_cmd(
            "Browser.grantPermissions",
            {"origin": self.host, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.open("start/first-minute/")
        button = self.wait(
            lambda driver: driver.find_element(By.CSS_SELECTOR, "button.md-code__button"), "a button that copies")
        lines = button.find_element(By.XPATH, "ancestor::pre//code").get_attribute("textContent").splitlines()
        expected = "\n".join(line[2:] for line in lines if line.startswith("$ "))
        webdriver.ActionChains(self.driver).move_to_element(button).click().perform()
        copied = self.wait(
            lambda driver: driver.execute_async_script(
                "navigator.clipboard.readText().then(arguments[0], () => arguments[0](''))"),
            "what was copied")
        self.expect(expected and copied == expected, f"copied {copied!r}, expected {expected!r}")

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

    def library(self, version):
        """The documentation of the Swift products is there."""
        self.driver.get(f"{self.host}{self.root.replace('latest', version)}{LIBRARY}")
        title = self.wait(lambda driver: driver.find_element(By.TAG_NAME, "h1").text, "the title of the library")
        self.expect("Understudy" in title, f"found the title {title}")

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
        versions = json.loads((Path(folder) / "versions.json").read_text(encoding="utf-8"))
        for version in ["latest"] + [version["version"] for version in versions]:
            look.library(version)
        look.pictures(Path(folder).parent)
        look.hosts()
    finally:
        driver.quit()
    print("\n".join(look.problems) or f"{len(PAGES)} pages looked at: nothing wrong")
    sys.exit(1 if look.problems else 0)


main()
