import type { SignedAuthorisation } from "@conclave/custody";
import { seededEntropy } from "@conclave/threshold/testing";
import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { SigningResult } from "../../coordinator/effect.ts";
import { SIGNING_ATTEMPT_MS } from "../../coordinator/limits.ts";
import { openSigningCoordinator, stepSigningCoordinator } from "../../coordinator/signing/signing.ts";
import type { Outcome, TestCluster } from "../cluster.ts";
import { KEY_ID, sign, transactionOf } from "../fixtures.ts";
import { type RosterShape, rosterAt } from "./changed-roster.ts";

/** The authorisation as the gateway signs it now, for a request of the given date, by default now. */
export const askedAt = (
  cluster: TestCluster,
  { payload }: SignedAuthorisation,
  requestedAtMs = cluster.world.nowMs(),
): SignedAuthorisation => {
  const before: unknown = JSON.parse(bytesToUtf8(payload));
  const dateRequested = new Date(requestedAtMs).toISOString();
  const dateAuthorised = new Date(cluster.world.nowMs()).toISOString();
  const dated = { ...Object(before), dateRequested, dateAuthorised };
  return sign(utf8ToBytes(JSON.stringify(dated)));
};

/**
 * Has a coordinator sign with exactly these signers, as an orchestrator that lies about the holders may; waits until it
 * ends, or waits for signers.
 *
 * @param nonce of the transaction that is built for the request
 */
export const signAmong = (
  cluster: TestCluster,
  shape: RosterShape,
  authorisation: SignedAuthorisation,
  quorum: readonly number[],
  nonce: number,
): Outcome<SigningResult> => {
  const config = {
    roster: new Map([...rosterAt(shape)].filter(([party]) => quorum.includes(party))),
    threshold: quorum.length,
    keyId: KEY_ID,
    authorisation,
    unsigned: transactionOf(nonce),
    dead: undefined,
    schemes: ["CGGMP24"] as const,
    verify: () => true,
    entropy: seededEntropy(`sign-among/${String(quorum)}/${nonce}/${cluster.world.nowMs()}`),
    attemptMs: SIGNING_ATTEMPT_MS,
    ...cluster.coordinatorClock,
  };
  const signed = cluster.drive({
    open: (known, nowMs) => openSigningCoordinator(config, known, nowMs),
    step: stepSigningCoordinator,
  });
  cluster.until(() => signed.isClosed || signed.waiting.length > 0, 60_000);
  signed.die();
  return signed;
};
