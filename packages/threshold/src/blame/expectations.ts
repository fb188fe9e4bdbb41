import { auxiliaryOpeningBytesMax } from "../auxiliary/opening.ts";
import { type GroupPoint, SCALAR_BYTES } from "../curve.ts";
import { commitmentMessageBytes } from "../frost/round1.ts";
import { statementBytesMax } from "../import/statement.ts";
import { CONFIRMATION_BYTES } from "../keygen/confirmation.ts";
import { keyOpeningBytes } from "../keygen/opening.ts";
import { COMMITMENT_ROUND } from "../opening.ts";
import { payloadBytesMax } from "../presign/messages.ts";
import { noSmallFactorProofBytesMax } from "../proofs/no-small-factor.ts";
import { blumModulusProofBytesMax } from "../proofs/paillier-blum-modulus.ts";
import { dealingOpeningBytes, proofBytes } from "../redistribution/messages.ts";
import { type Scheme, withScheme } from "../scheme.ts";
import { echoBytes } from "../session/echo.ts";
import { ENVELOPE_KIND } from "../session/envelope.ts";
import type { Expectation } from "../session/round.ts";
import { SEAL_BYTES } from "../session/seal.ts";
import { SIGNING_ROUND } from "../sign/round1.ts";
import type { SignedRecord } from "./signed-record.ts";

type Terms = Pick<SignedRecord, "attempt" | "parameters">;
type Rounds = ReadonlyMap<number, Expectation>;

const echoed = (payloadBytesMax: number): Expectation => ({
  broadcast: "echo",
  direct: "none",
  payloadBytesMax,
});
const plain = (payloadBytesMax: number): Expectation => ({
  broadcast: "plain",
  direct: "none",
  payloadBytesMax,
});

const presigningRounds = ({ attempt, parameters }: Terms): Rounds => {
  const bytes = payloadBytesMax(parameters, attempt.parties.length - 1);
  return new Map<number, Expectation>([
    [1, { broadcast: "echo", direct: "plain", payloadBytesMax: bytes.round1 }],
    [2, { broadcast: "echo", direct: "plain", payloadBytesMax: bytes.round2 }],
    [3, echoed(bytes.round3)],
    [4, plain(bytes.round4)],
    [SIGNING_ROUND, plain(SCALAR_BYTES)],
  ]);
};

const auxiliaryRounds = ({ parameters }: Terms): Rounds =>
  new Map<number, Expectation>([
    [1, COMMITMENT_ROUND],
    [2, plain(auxiliaryOpeningBytesMax(parameters))],
    [
      3,
      {
        broadcast: "plain",
        direct: "plain",
        payloadBytesMax: Math.max(
          blumModulusProofBytesMax(parameters),
          noSmallFactorProofBytesMax(parameters),
        ),
      },
    ],
  ]);

const dealingRounds = (openingBytes: number, proof: number, after: number): Rounds =>
  new Map<number, Expectation>([
    [after + 1, COMMITMENT_ROUND],
    [after + 2, { broadcast: "plain", direct: "sealed", payloadBytesMax: openingBytes }],
    [after + 3, plain(proof)],
    [after + 4, echoed(CONFIRMATION_BYTES)],
  ]);

const roundsOfScheme = <P extends GroupPoint<P>>({ curve }: Scheme<P>, terms: Terms): Rounds => {
  const { protocol, scheme, threshold } = terms.attempt;
  const redistribution = (after: number): Rounds =>
    dealingRounds(dealingOpeningBytes(curve, threshold), proofBytes(curve), after);
  switch (protocol) {
    case "auxiliary":
      return auxiliaryRounds(terms);
    case "key-generation":
      return dealingRounds(keyOpeningBytes(curve, threshold), SCALAR_BYTES, 0);
    case "key-refresh":
    case "key-reshare":
      return redistribution(0);
    case "key-import":
      return new Map([[1, echoed(statementBytesMax(curve))], ...redistribution(1)]);
    case "presigning":
      return presigningRounds(terms);
    case "pooled-signing":
      return new Map([[SIGNING_ROUND, plain(SCALAR_BYTES)]]);
    case "signing":
      if (scheme === "CGGMP24") return presigningRounds(terms);
      return new Map([
        [1, echoed(commitmentMessageBytes(curve))],
        [2, plain(SCALAR_BYTES)],
      ]);
    case "key-export":
      return new Map();
  }
};

/** The expectations of each round of an attempt's protocol. A test compares them with the rounds themselves. */
export const expectationsOf = (terms: Terms): Rounds =>
  withScheme(terms.attempt.scheme, (scheme) => roundsOfScheme(scheme, terms));

/** The longest payload of a kind in a round; undefined when the protocol has no such message. */
export const bytesMaxOf = (record: SignedRecord, round: number, kind: number): number | undefined => {
  const expects = expectationsOf(record).get(round);
  if (expects === undefined) return undefined;
  switch (kind) {
    case ENVELOPE_KIND.broadcast:
      return expects.broadcast === "none" ? undefined : expects.payloadBytesMax;
    case ENVELOPE_KIND.direct:
      if (expects.direct === "none") return undefined;
      return expects.payloadBytesMax + (expects.direct === "sealed" ? SEAL_BYTES : 0);
    case ENVELOPE_KIND.echo:
      return expects.broadcast === "echo" ? echoBytes(record.attempt) : undefined;
    default:
      return undefined;
  }
};
