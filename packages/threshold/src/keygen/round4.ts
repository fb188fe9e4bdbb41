import { equalBytes } from "@noble/curves/utils.js";
import type { GroupPoint } from "../curve.ts";
import { peersOf } from "../session/config.ts";
import type { Round } from "../session/round.ts";
import { accuse } from "../session/steps.ts";
import { CONFIRMATION_BYTES } from "./confirmation.ts";
import type { KeyShare } from "./key-share.ts";
import type { KeyGenerationRun } from "./run.ts";

/**
 * Round 4: compares the confirmations of all parties, with echo, before any party accepts the key. All public
 * values derive from openings of the commitments that round 1 agreed on, so two honest parties cannot differ:
 * a party that confirms another key has deviated (INV-7).
 */
export const round4 = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  share: KeyShare<P>,
  confirmation: Uint8Array,
): Round<KeyShare<P>> => ({
  number: 4,
  expects: { broadcast: "echo", direct: "none", payloadBytesMax: CONFIRMATION_BYTES },
  advance: (inbox) => {
    const culprit = peersOf(run).find((peer) => !equalBytes(inbox.broadcast(peer), confirmation));
    if (culprit !== undefined) return accuse(culprit, "keygen/4 confirmation of the key");
    return { kind: "output", output: share };
  },
});
