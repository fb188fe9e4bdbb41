import { seededEntropy } from "@conclave/threshold/testing";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { SIGNING_ATTEMPT_MS } from "./coordinator/limits.ts";
import { openSigningCoordinator, stepSigningCoordinator } from "./coordinator/signing/signing.ts";
import { CLOCK_SKEW_MS_MAX } from "./signer/limits.ts";
import { TestCluster } from "./testing/cluster.ts";
import { authorisedTransferOf, KEY_ID, type Part, severalOf, sign } from "./testing/fixtures.ts";
import { FROST_KEYS, frostRecords } from "./testing/frost-records.ts";
import {
  moveKeyOn,
  type RosterShape,
  renewAuxiliaryOn,
  rosterAt,
  takeRoster,
} from "./testing/roster/changed-roster.ts";
import { askedAt } from "./testing/roster/sign-among.ts";

const [EDWARDS] = FROST_KEYS;
const ECDSA: Part = { scheme: "CGGMP24", text: "a coin of the one key" };
const EDDSA: Part = { scheme: "FROST-Ed25519", text: "a coin of the other key" };

/*
 * No family has cosigners today, but one that an operator adds may have (`cosignersOf`). So a binding is recorded under
 * all keys of the request and checked for all of them, even when a session signs with only one.
 */
test("INV-4 a request of two keys that was signed with one of them is not signed with the other by other holders", () => {
  const records = frostRecords(5, 3);
  const cluster = new TestCluster({ seed: "cosigners", size: 5, threshold: 3, engine: "tiny", records });
  const shape: RosterShape = { parties: [1, 2, 3, 4, 5], leaving: [1, 2], threshold: 2 };
  takeRoster(cluster, shape);
  const made = renewAuxiliaryOn(cluster, shape, 1);
  cluster.until(() => made.isClosed, 60_000);
  cluster.rest(2 * CLOCK_SKEW_MS_MAX);
  const asked = sign(
    utf8ToBytes(JSON.stringify(authorisedTransferOf(1, KEY_ID, undefined, [EDWARDS.keyId]))),
  );
  const twice = askedAt(cluster, asked);
  const isSigned = (quorum: readonly number[], nonce: number, part: Part): boolean => {
    const config = {
      roster: new Map([...rosterAt(shape)].filter(([party]) => quorum.includes(party))),
      threshold: quorum.length,
      keyId: KEY_ID,
      authorisation: twice,
      unsigned: severalOf(nonce, [part]),
      dead: undefined,
      schemes: [part.scheme],
      verify: () => true,
      entropy: seededEntropy(`cosigners/${nonce}`),
      attemptMs: SIGNING_ATTEMPT_MS,
      ...cluster.coordinatorClock,
    };
    const signed = cluster.drive({
      open: (known, nowMs) => openSigningCoordinator(config, known, nowMs),
      step: stepSigningCoordinator,
    });
    cluster.until(() => signed.isClosed || signed.waiting.length > 0, 60_000);
    signed.die();
    return signed.result !== undefined;
  };
  expect(isSigned([1, 2, 3], 1, EDDSA)).toBe(true);
  const moved = moveKeyOn(cluster, shape, KEY_ID, "1");
  cluster.until(() => moved.isClosed, 60_000);
  expect(moved.result).toBeDefined();
  expect(isSigned([4, 5], 2, ECDSA)).toBe(false);
});
