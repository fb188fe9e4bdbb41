import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provisionFiles } from "@conclave/testbed";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { renewMembersCertificates } from "./renew-certificates.ts";

let state: string;
let said: string;

beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "conclave-said-"));
  await provisionFiles({ state, signers: 2, threshold: 2, rpcUrl: "http://anvil:8545", signerPort: 7000 });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const renew = async (half?: "prepare" | "switch"): Promise<string> => {
  said = "";
  await renewMembersCertificates({ state, half });
  return said;
};

it("the first half says to restart all, its repetition what was prepared before, the second half to restart again", async () => {
  const first = await renew("prepare");
  expect(first).toMatch(/signer-1: a new certificate until \d{4}-\d\d-\d\d\n/);
  expect(first).toContain("also those\nthat were restarted after an earlier --prepare");
  const again = await renew("prepare");
  expect(again).toMatch(/signer-1: prepared before, until \d{4}-\d\d-\d\d\n/);
  expect(again).toContain("They were prepared before, and stay as they are");
  expect(await renew("switch")).toContain("They are in force. Restart these members again");
  expect(said).not.toContain("SHA-256");
});

it("for a member on another machine, the hash of its key is printed for the owner to compare", async () => {
  const folder = join(state, "signer-2");
  for (const name of ["tls.key", "passphrase.key", "identity.key"]) rmSync(join(folder, name));
  expect(await renew("prepare")).toMatch(
    /bring each the tls\.next\.crt[\s\S]*SHA-256[\s\S]*\nsigner-2: [0-9a-f]{64}\n$/,
  );
});
