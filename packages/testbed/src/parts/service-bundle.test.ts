import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { serviceBundle } from "./service-bundle.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "conclave-bundle-"));
  mkdirSync(join(root, "packages/custody/dist"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

/** A file with this modification time, in seconds. */
const write = (path: string, second: number): string => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  utimesSync(file, second, second);
  return file;
};

test("a service runs the bundle that was made after everything was compiled", () => {
  write("packages/custody/dist/.tsbuildinfo", 1_000);
  write("services/signer/dist/.tsbuildinfo", 1_001);
  const main = write("services/signer/dist/bundle/main.js", 1_001);
  expect(serviceBundle(root, "signer")).toBe(main);
});

test.each(["packages/custody/dist/.tsbuildinfo", "services/signer/dist/.tsbuildinfo"])(
  "a bundle older than %s is refused: it would run yesterday's code",
  (compiled) => {
    write("services/signer/dist/bundle/main.js", 1_000);
    write(compiled, 1_001);
    expect(() => serviceBundle(root, "signer")).toThrow(LaunchError);
    expect(() => serviceBundle(root, "signer")).toThrow("was compiled and not bundled since");
  },
);

test("a bundle with fault points is another file; without it, the error says what makes it", () => {
  write("services/signer/dist/bundle/main.js", 1_001);
  const find = () => serviceBundle(root, "signer", "bundle-faults");
  expect(find).toThrow("services/signer has no bundle with fault points");
  expect(find).toThrow(expect.objectContaining({ remedy: "Run `make setup`." }));
  const main = write("services/signer/dist/bundle-faults/main.js", 1_001);
  expect(find()).toBe(main);
  write("packages/custody/dist/.tsbuildinfo", 1_002);
  expect(find).toThrow("was compiled and not bundled since");
});

test("a service that was never compiled is refused", () => {
  expect(() => serviceBundle(root, "signer")).toThrow("services/signer is not compiled");
});
