import { describe, expect, it } from "vitest";
import type { GroupPoint } from "../../curve.ts";
import type { PartyIndex } from "../../fault.ts";
import { SCALAR_BYTES } from "../../group.ts";
import { startImport } from "../../import/import.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../../insecure-test-parameters.ts";
import type { KeyShare } from "../../keygen/key-share.ts";
import { startKeyGeneration } from "../../keygen/keygen.ts";
import { startRefresh } from "../../refresh/refresh.ts";
import { startReshare } from "../../reshare/reshare.ts";
import { CGGMP24, FROST_ED25519, type Scheme } from "../../scheme.ts";
import { ENVELOPE_KIND, type Envelope, signEnvelope } from "../../session/envelope.ts";
import type { Start } from "../../session/round.ts";
import { SEAL_BYTES } from "../../session/seal.ts";
import { auxiliaryGeneration, presigning } from "../decoders/honest-messages.ts";
import { importConfig } from "../importing.ts";
import { testParties } from "../insecure-auxiliary.ts";
import { insecurePlaintexts, insecurePolynomial, sealForSigners } from "../insecure-import-client.ts";
import { insecureSchemeShares } from "../insecure-key-shares.ts";
import { type Passing, runLockstep } from "../lockstep.ts";
import { testSessionId } from "../session-network.ts";
import { LIES, lieNamed, type NamedLie } from "./named-lie.ts";

const SECRET = new Uint8Array(32).fill(7);
const THRESHOLD = 3;
const parties = testParties(4);
const session = testSessionId("named lies");

type Kind = Passing["kind"];

const envelopeOf = (round: number, kind: Kind, payload: Uint8Array): Envelope => {
  const to = kind === "direct" ? 2 : 0;
  const header = { session: new Uint8Array(32), round, kind: ENVELOPE_KIND[kind], from: 1, to };
  return signEnvelope(header, payload, SECRET);
};

/**
 * The messages that party 1 sends to all and to party 2 in a run of the protocol; a dealt share is as long as
 * its sealed form.
 */
const saidIn = <Output>(startOf: (self: PartyIndex) => Start<Output>): readonly Envelope[] => {
  const said: Envelope[] = [];
  const outcomes = runLockstep({
    starts: new Map(parties.map((self) => [self, startOf(self)])),
    mutate: ({ from, to, round, kind, payload }) => {
      const isShare = kind === "direct" && payload.length === SCALAR_BYTES;
      const sent = isShare ? new Uint8Array([...payload, ...new Uint8Array(SEAL_BYTES)]) : payload;
      if (from === 1 && to === 2) said.push(envelopeOf(round, kind, sent));
      return payload;
    },
  });
  expect([...outcomes.values()].map(({ kind }) => kind)).toEqual(parties.map(() => "output"));
  return said;
};

const shareOf = <P extends GroupPoint<P>>(scheme: Scheme<P>, self: PartyIndex): KeyShare<P> =>
  insecureSchemeShares(scheme, THRESHOLD, parties).get(self) ?? expect.fail("every party holds a share");

const generation = <P extends GroupPoint<P>>(scheme: Scheme<P>): readonly Envelope[] =>
  saidIn((self) =>
    startKeyGeneration({ session, self, parties, threshold: THRESHOLD, keyId: "key", epoch: 0, scheme }),
  );

const refreshing = <P extends GroupPoint<P>>(scheme: Scheme<P>): readonly Envelope[] =>
  saidIn((self) => startRefresh({ session, key: shareOf(scheme, self), nextEpoch: 1 }));

const resharing = <P extends GroupPoint<P>>(scheme: Scheme<P>): readonly Envelope[] =>
  saidIn((self) => {
    const { info, secretShare } = shareOf(scheme, self);
    const all = {
      dealers: parties.slice(0, THRESHOLD),
      receivers: parties,
      threshold: THRESHOLD,
      nextEpoch: 1,
    };
    return startReshare({ session, self, info, secretShare, ...all });
  });

const importing = <P extends GroupPoint<P>>(scheme: Scheme<P>): readonly Envelope[] => {
  const plaintexts = insecurePlaintexts(scheme, parties, insecurePolynomial(scheme, THRESHOLD));
  const config = { scheme, threshold: THRESHOLD, envelopes: sealForSigners(plaintexts) };
  return saidIn((self) => startImport(importConfig(config, self)));
};

/** One honest message for each round and kind, in a protocol of two parties. */
const recorded = (
  { sent }: { readonly sent: (round: number, kind: Kind) => readonly Uint8Array[] },
  messages: readonly (readonly [round: number, kind: Kind])[],
): readonly Envelope[] =>
  messages.map(([round, kind]) =>
    envelopeOf(round, kind, sent(round, kind)[0] ?? expect.fail("a round has a message")),
  );

const PRESIGNING = recorded(presigning, [
  [1, "broadcast"],
  [1, "direct"],
  [2, "broadcast"],
  [2, "direct"],
  [3, "broadcast"],
]);

const RUNS: readonly (readonly [protocol: NamedLie["protocol"], run: string, said: readonly Envelope[]])[] = [
  [
    "aux",
    "of two",
    recorded(auxiliaryGeneration, [
      [1, "broadcast"],
      [2, "broadcast"],
      [3, "broadcast"],
      [3, "direct"],
    ]),
  ],
  ["keygen", "on secp256k1", generation(CGGMP24)],
  ["keygen", "on Ed25519", generation(FROST_ED25519)],
  ["import", "on secp256k1", importing(CGGMP24)],
  ["import", "on Ed25519", importing(FROST_ED25519)],
  ["refresh", "on secp256k1", refreshing(CGGMP24)],
  ["refresh", "on Ed25519", refreshing(FROST_ED25519)],
  ["reshare", "on secp256k1", resharing(CGGMP24)],
  ["reshare", "on Ed25519", resharing(FROST_ED25519)],
  ["presign", "of two", PRESIGNING],
];

const bentBy = (name: string, said: readonly Envelope[]): readonly Envelope[] => {
  const lie = lieNamed(name);
  if (!lie.ok) throw new Error(lie.reason);
  return said.flatMap((envelope) => lie.value.bend(envelope, parameters, SECRET) ?? []);
};

describe.each(RUNS)("a lie that has a name in %s %s", (protocol, _, said) => {
  it.each(LIES.filter((name) => name.startsWith(`${protocol}/`)))(
    "INV-7 is one byte in one message: %s",
    (name) => {
      const [bent, ...others] = bentBy(name, said);
      expect(others).toEqual([]);
      const truth = said.find(({ round, kind }) => round === bent?.round && kind === bent?.kind);
      const changed = truth?.payload.filter((byte, at) => byte !== bent?.payload[at]);
      expect([changed?.length, bent?.payload.length]).toEqual([1, truth?.payload.length]);
    },
  );

  it("is there for every message that is sent", () => {
    const rounds = new Set(said.map(({ round, kind }) => `${round} ${kind}`));
    const bent = LIES.filter((name) => name.startsWith(`${protocol}/`)).flatMap((name) => bentBy(name, said));
    expect(new Set(bent.map(({ round, kind }) => `${round} ${kind}`))).toEqual(rounds);
  });
});

describe("a lie that has a name", () => {
  it("may be named by the end of its field", () => {
    expect(bentBy("presign/2.D", PRESIGNING)).toEqual(bentBy("presign/2.pairs.nonce.D", PRESIGNING));
  });

  it.each([["presign/2.nothing"], ["presign/2."], ["presign/2"], ["reading/1.D"]])(
    "is refused, with all that there are, when nobody knows it: %s",
    (name) => {
      expect(lieNamed(name)).toEqual({
        ok: false,
        reason: `no signer lies in ${name}; there are ${LIES.join(", ")}`,
      });
    },
  );
});
