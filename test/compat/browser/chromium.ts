import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** Names of the installed program (`scripts/setup.sh tests`). */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const ON_MACS = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const installed = (): string => {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const paths = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...ON_MACS];
  const found = paths.find(isExecutable);
  if (found === undefined) throw new Error("there is no Chromium: run `sh scripts/setup.sh tests`");
  return found;
};

/** Starts a headless Chromium. @param hosts names that it resolves to this machine, beside localhost */
export const startChromium = (hosts: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: installed(),
    args: [
      `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1`).join(",")}`,
      // root cannot set up the sandbox, and the tests open only their own pages
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--disable-gpu",
    ],
  });

/** A page with its own virtual authenticator, which confirms every request (Web Authentication Level 3, section 11). */
export const openPage = async (context: BrowserContext, url: string): Promise<Page> => {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(url);
  return page;
};
