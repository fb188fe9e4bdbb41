import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { withAuthority } from "./authorities.ts";
import { certifyKey, makeCertificateAuthority } from "./authority.ts";

const CLUSTER = "first-light";
const NOW = new Date("2026-01-02T03:04:05Z");
const DAY_MS = 86_400_000;
const role = { kind: "orchestrator" } as const;

const authority = async () => (await makeCertificateAuthority(CLUSTER, NOW)).certificate;
const afterItsEnd = NOW.getTime() + 3_651 * DAY_MS;

/** A certificate for a fresh key with no owner. */
const certificateOf = async (by: Awaited<ReturnType<typeof makeCertificateAuthority>>) =>
  certifyKey(by, { role, now: NOW }, generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey);

describe("an authority is added", () => {
  test("to those that have not ended", async () => {
    const [first, added] = [await authority(), await authority()];
    expect(withAuthority(first, added, NOW.getTime(), [])).toBe(`${first}\n${added}\n`);
    expect(withAuthority(first, added, afterItsEnd, [])).toBe(`${added}\n`);
  });

  test("to one that has ended, if a member has its certificate of it: the clock may be wrong", async () => {
    const [first, idle] = [await makeCertificateAuthority(CLUSTER, NOW), await authority()];
    const added = await authority();
    const held = await certificateOf(first);
    const before = `${idle}\n${first.certificate}\n`;
    expect(withAuthority(before, added, afterItsEnd, ["no", held])).toBe(`${first.certificate}\n${added}\n`);
  });

  test("but not to an ended one for a certificate that an unknown authority signed", async () => {
    const [first, added] = [await authority(), await authority()];
    const held = await certificateOf(await makeCertificateAuthority(CLUSTER, NOW));
    expect(withAuthority(first, added, afterItsEnd, [held])).toBe(`${added}\n`);
  });
});
