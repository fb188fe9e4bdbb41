import { sha256 } from "@noble/hashes/sha2.js";
import { encode, fixedBytes, list, struct, uint } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import type { SessionConfig } from "../session/config.ts";
import { type Envelope, type EnvelopeKind, signEnvelope } from "../session/envelope.ts";
import { deliver, openSession, type Progress } from "../session/session.ts";
import { type CoinToss, startCoinToss } from "./coin-toss.ts";
import { testParties } from "./insecure-auxiliary.ts";
import { seededEntropy } from "./seeded-entropy.ts";
import { insecurePartySecrets, runSessions, testConfigs, testSessionId } from "./session-network.ts";

/** A recorded coin toss of three parties, and functions that replay it to Alice with changed messages. */

const SEED = "coin toss";

/** Returns the value; throws when it is undefined, since fixtures are our own. */
export const present = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error("the fixture lacks something");
  return value;
};

export const tossers: readonly PartyIndex[] = testParties(3);
export const alice: PartyIndex = present(tossers[0]);
export const bob: PartyIndex = present(tossers[1]);
export const carol: PartyIndex = present(tossers[2]);

export const tossConfigs: ReadonlyMap<PartyIndex, SessionConfig> = testConfigs(tossers, testSessionId(SEED));

/** Runs the toss among all three parties; `wire` and `pick` as in runSessions. */
export const runToss = (
  change: Partial<Pick<Parameters<typeof runSessions<CoinToss>>[0], "wire" | "pick">> = {},
) =>
  runSessions<CoinToss>({
    configs: tossConfigs,
    start: ({ self }) => startCoinToss({ self, parties: tossers }),
    seed: SEED,
    ...change,
  });

/** The honest run; its envelopes are in the order sent. */
export const honestToss = runToss();
export const sentBy = (from: PartyIndex, round: number, kind: EnvelopeKind): Envelope =>
  present(honestToss.sent.find((sent) => sent.from === from && sent.round === round && sent.kind === kind));
export const toAlice: readonly Envelope[] = honestToss.sent.filter(
  ({ from, to }) => from !== alice && (to === 0 || to === alice),
);

/**
 * Opens Alice's session and delivers these envelopes one by one. Returns the progress after the opening and
 * after each.
 */
export const runAlice = (envelopes: readonly Envelope[]): readonly Progress<CoinToss>[] => {
  const entropy = seededEntropy(`${SEED}/${alice}`);
  const steps = [
    openSession(present(tossConfigs.get(alice)), startCoinToss({ self: alice, parties: tossers }), entropy),
  ];
  for (const envelope of envelopes) steps.push(deliver(last(steps).session, envelope, entropy));
  return steps;
};

export const last = <T>(items: readonly T[]): T => present(items.at(-1));

/** An envelope with changes, signed again by its sender. */
export const resigned = (envelope: Envelope, change: Partial<Omit<Envelope, "signature">>): Envelope => {
  const { payload, session, round, kind, from, to } = { ...envelope, ...change };
  const signer = present(tossers.find((party) => party === from));
  return signEnvelope({ session, round, kind, from, to }, payload, insecurePartySecrets(signer).identity);
};

export const flipped = (bytes: Uint8Array): Uint8Array =>
  bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte));

/** The payload of an echo that claims these broadcasts. */
export const echoPayload = (claimed: readonly Envelope[]): Uint8Array =>
  encode(
    list(struct({ party: uint(2), hash: fixedBytes(32), signature: fixedBytes(64) }), claimed.length),
    claimed.map(({ from, payload, signature }) => ({ party: from, hash: sha256(payload), signature })),
  );
