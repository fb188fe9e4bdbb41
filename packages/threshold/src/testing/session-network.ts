import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { Secret } from "../secret.ts";
import type { PartySecrets, PeerKeys, SessionConfig } from "../session/config.ts";
import type { Envelope, SessionId } from "../session/envelope.ts";
import type { Outcome } from "../session/outcome.ts";
import { pendingChecks } from "../session/pending-checks.ts";
import type { CheckResult, PeerCheck, Start } from "../session/round.ts";
import { deliver, openSession, type Progress, resume, type Session } from "../session/session.ts";
import { hashFields } from "../transcript.ts";
import { seededEntropy } from "./seeded-entropy.ts";

const partySecrets = new Map<PartyIndex, PartySecrets>();

/**
 * INSECURE: the secret keys of a party, the same in every run; always the same arrays, by which caches hold
 * OpenSSL's keys.
 */
export const insecurePartySecrets = (party: PartyIndex): PartySecrets => {
  const known = partySecrets.get(party);
  if (known !== undefined) return known;
  const secrets = {
    identity: hashFields("insecure test identity", [party]),
    encryption: hashFields("insecure test encryption", [party]),
  };
  partySecrets.set(party, secrets);
  return secrets;
};

const peerKeys = new Map<PartyIndex, PeerKeys>();

/** The public keys of a party, cached, since tests use them everywhere. */
export const insecurePeerKeys = (party: PartyIndex): PeerKeys => {
  const known = peerKeys.get(party);
  if (known !== undefined) return known;
  const { identity, encryption } = insecurePartySecrets(party);
  const keys = { identity: ed25519.getPublicKey(identity), encryption: x25519.getPublicKey(encryption) };
  peerKeys.set(party, keys);
  return keys;
};

export const testSessionId = (name: string): SessionId => hashFields("test session", [name]);

/** Configurations of one session among parties, with published keys. */
export const testConfigs = (
  parties: readonly PartyIndex[],
  session: SessionId,
): ReadonlyMap<PartyIndex, SessionConfig> => {
  const peers = new Map(parties.map((party) => [party, insecurePeerKeys(party)]));
  return new Map(
    parties.map((self) => [
      self,
      { session, self, parties, peers, secrets: new Secret(insecurePartySecrets(self)) },
    ]),
  );
};

/** An envelope in transit to one receiver. */
export interface Transit {
  readonly to: PartyIndex;
  readonly envelope: Envelope;
}

export interface NetworkConfig<Output> {
  readonly configs: ReadonlyMap<PartyIndex, SessionConfig>;
  readonly start: (config: SessionConfig) => Start<Output>;
  readonly seed: string;
  /** the transits to deliver in place of one: none, a changed one, or two */
  readonly wire?: (transit: Transit) => readonly Transit[];
  /** the position of the next message to arrive among those in transit, below `count`; absent: the oldest */
  readonly pick?: (count: number) => number;
  /** performs the checks of sessions that leave them to the caller (SessionConfig.checks) */
  readonly judge?: (self: PartyIndex, checks: readonly PeerCheck[]) => ReadonlyMap<PartyIndex, CheckResult>;
}

export interface Network<Output> {
  readonly outcomes: ReadonlyMap<PartyIndex, Outcome<Output>>;
  /** every envelope as sent, in order */
  readonly sent: readonly Envelope[];
}

const EVENTS_MAX = 100_000;

/** Runs real sessions in memory until nothing is in transit. */
export const runSessions = <Output>(config: NetworkConfig<Output>): Network<Output> => {
  const parties = [...config.configs.keys()];
  const wire = config.wire ?? ((transit) => [transit]);
  const pick = config.pick ?? (() => 0);
  const sessions = new Map<PartyIndex, Session<Output>>();
  const entropies = new Map<PartyIndex, Entropy>();
  const transits: Transit[] = [];
  const sent: Envelope[] = [];

  const absorb = (self: PartyIndex, { session, send }: Progress<Output>, entropy: Entropy): void => {
    sessions.set(self, session);
    sent.push(...send);
    for (const envelope of send) {
      const isFor = (party: PartyIndex): boolean =>
        envelope.to === 0 ? party !== self : party === envelope.to;
      for (const to of parties.filter(isFor)) transits.push(...wire({ to, envelope }));
    }
    const checks = pendingChecks(session);
    const verdicts = checks.length === 0 ? undefined : config.judge?.(self, checks);
    if (verdicts !== undefined) absorb(self, resume(session, verdicts, entropy), entropy);
  };

  for (const [self, own] of config.configs) {
    const entropy = seededEntropy(`${config.seed}/${self}`);
    entropies.set(self, entropy);
    absorb(self, openSession(own, config.start(own), entropy), entropy);
  }
  for (let events = 0; transits.length > 0; events++) {
    if (events > EVENTS_MAX) throw new Error("the sessions do not come to rest");
    const [transit] = transits.splice(pick(transits.length), 1);
    const session = transit && sessions.get(transit.to);
    const entropy = transit && entropies.get(transit.to);
    if (transit === undefined || session === undefined || entropy === undefined) continue;
    absorb(transit.to, deliver(session, transit.envelope, entropy), entropy);
  }
  return { outcomes: new Map([...sessions].map(([self, { outcome }]) => [self, outcome])), sent };
};
