import { expect, test } from "vitest";
import type { CallId } from "../../control/session-key.ts";
import { afterWrites } from "../../testing/after-writes.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { KEY_ID } from "../../testing/fixtures.ts";
import { withKey } from "../../testing/held-keys.ts";
import { eventOf } from "../../testing/signer-input.ts";
import { storedKey } from "../records/key-records.ts";
import { stepSigner } from "../signer.ts";

const isCall = (text: string): text is CallId => text.length > 0;
const call = "call";

test.each([
  [undefined, "active"],
  [1, "active"],
  [2, "pending"],
  [0, "pending"],
])("a pending share of epoch 1 that is to become active in epoch %s is %s then", (epoch, expected) => {
  const cluster = new TestCluster({ seed: "key state", size: 3, threshold: 2, engine: "tiny" });
  const { state = expect.fail("it lives") } = cluster.node(1);
  const key = storedKey(state, KEY_ID) ?? expect.fail("there is a key");
  if (!isCall(call)) throw new Error("not a call");
  const pending = withKey(state, KEY_ID, { ...key, state: "pending" });
  const asked = { kind: "activate-key" as const, call, keyId: KEY_ID };
  const event = eventOf(epoch === undefined ? asked : { ...asked, epoch });
  const after = stepSigner(pending, event, cluster.world.nowMs());
  expect(storedKey(afterWrites(after), KEY_ID)?.state).toBe(expected);
});
