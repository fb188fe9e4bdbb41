import { ok, type Result } from "@conclave/custody";
import type { SignerStatus } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import { type AskedSigner, firstSession } from "./first-session.ts";

const OLD = Uint8Array.of(1);
const FRESH = Uint8Array.of(2);

type Answer = Result<Pick<SignerStatus, "sessions">>;

const status = (...sessions: readonly Uint8Array[]): Answer =>
  ok({ sessions: sessions.map((session) => ({ session, protocol: "signing", stage: "presign" })) });

/** A signer that gives these answers in order, then the last one again, and counts the requests. */
const signer = (id: string, ...answers: readonly Promise<Answer>[]) => {
  let asked = 0;
  const asks: AskedSigner = {
    id,
    client: {
      getStatus: () =>
        answers[Math.min(asked++, answers.length - 1)] ?? Promise.reject(new Error("no answer")),
    },
  };
  return { asks, times: () => asked };
};

describe("the first session of another quorum", () => {
  const isFresh = ({ session }: { readonly session: string }): boolean => session === "02";

  it("is reported by the first signer that shows it: one that waits for a core delays no other", async () => {
    const starved = signer("starved", new Promise(() => undefined));
    const left = signer("left", Promise.resolve(status(OLD)));
    const chosen = signer("chosen", Promise.resolve(status(OLD)), Promise.resolve(status(FRESH)));
    const signers = [starved.asks, left.asks, chosen.asks];
    expect(await firstSession(signers, "a fresh session", isFresh)).toEqual({ id: "chosen", session: "02" });
    expect([starved.times(), chosen.times()]).toEqual([1, 2]);
  });

  it("is waited for until a signer shows it", async () => {
    const late = signer("late", Promise.resolve(status()), Promise.resolve(status(OLD, FRESH)));
    expect(await firstSession([late.asks], "a fresh session", isFresh)).toEqual({
      id: "late",
      session: "02",
    });
  });
});
