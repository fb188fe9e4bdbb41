import type { KeyHolding, KeyPage, KeysAsked } from "@conclave/cluster";
import { fail, ok, type Result } from "@conclave/custody";
import { expect, test } from "vitest";
import { everyKey, heldKey } from "./every-key.ts";

const holding = (keyId: string): KeyHolding => ({
  keyId,
  state: "active",
  epoch: 1,
  publicKey: new Uint8Array(33),
  isImported: false,
  isExported: false,
  next: [],
});

/** A source that gives these answers in turn, and records the requests. */
const source = (...answers: readonly Result<KeyPage>[]) => {
  const asked: KeysAsked[] = [];
  const listKeys = async (question: KeysAsked): Promise<Result<KeyPage>> => {
    asked.push(question);
    return answers[(asked.length - 1) % answers.length] ?? fail("Internal");
  };
  return { asked, listKeys };
};
const page = (next: string | undefined, ...keyIds: readonly string[]) =>
  ok<KeyPage>({ keys: keyIds.map(holding), next });

test("all keys are those of all pages, each asked for after the one before, also beyond an empty page", async () => {
  const signer = source(page("b", "a", "b"), page("x"), page(undefined, "z"));
  const held = await everyKey(signer, "pending");
  expect(held.ok && [...held.value.keys()]).toEqual(["a", "b", "z"]);
  expect(signer.asked).toMatchObject([
    { which: "pending", after: undefined },
    { which: "pending", after: "b" },
    { which: "pending", after: "x" },
  ]);
});

test("a page that fails is a failure: the pages before it are not taken for the whole", async () => {
  const signer = source(page("b", "a", "b"), fail("ServiceUnavailable"));
  expect(await everyKey(signer, "all")).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
});

test("a signer whose pages never end is given up", async () => {
  expect(await everyKey(source(page("a", "a"), page("b", "b")), "all")).toMatchObject({ ok: false });
});

test("the holding of one key is requested by its id, and an outage is not taken for a holding", async () => {
  const signer = source(page(undefined, "a"));
  expect(await heldKey(signer, "a")).toMatchObject({ ok: true, value: { keyId: "a", state: "active" } });
  expect(signer.asked).toEqual([{ kind: "named", keyIds: ["a"] }]);
  expect(await heldKey(source(fail("ServiceUnavailable")), "a")).toMatchObject({ ok: false });
});
