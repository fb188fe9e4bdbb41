import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import type { RingPedersen } from "../ring-pedersen.ts";
import { describeForgeries, FORGERY_CONTEXT } from "../testing/forgeries/forgeries.ts";
import { knownOrder } from "../testing/forgeries/known-order.ts";
import { insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import { type RingPedersenProof, verifyRingPedersen } from "./ring-pedersen-parameters.ts";

type Commitments = Pick<RingPedersenProof, "commitments">;

const own = insecureOwnAuxiliary(1).pedersen;
const { n, s, t } = own.parameters;
const order = knownOrder(own);
const { iterations } = parameters;
const nonces = Array.from({ length: iterations }, (_, at) => 1_000_003n * BigInt(at + 1));
const honestCommitments = nonces.map((nonce) => order.t(nonce));

const respond = (bits: readonly boolean[], lambda: bigint, divisor = 1n): readonly bigint[] =>
  nonces.map((nonce, at) =>
    order.reduce((bits[at] === true ? nonce + lambda : nonce) * order.inverse(divisor)),
  );

describeForgeries<RingPedersen, Commitments, RingPedersenProof, readonly boolean[]>({
  domain: "Πprm",
  fields: (statement, { commitments }) => ({
    iterations,
    "N^": statement.n,
    s: statement.s,
    t: statement.t,
    A: commitments,
  }),
  constants: [],
  draw: (drawn) => drawn.bits(iterations),
  holds: ({ statement, proof: { commitments, responses } }, bits) =>
    responses.every(
      (response, at) =>
        order.product([statement.t, response]) ===
        ((commitments[at] ?? 0n) * (bits[at] === true ? statement.s : 1n)) % statement.n,
    ),
  verify: ({ statement, proof }) => verifyRingPedersen(FORGERY_CONTEXT, parameters, statement, proof),
  honest: (challengeOf) => {
    const bits = challengeOf(own.parameters, { commitments: honestCommitments });
    const proof = { commitments: honestCommitments, responses: respond(bits, own.lambda) };
    return { statement: own.parameters, proof };
  },
  forgeries: {
    // s = -t^λ is no power of t, so that commitments under it do not hide; A_i = t^z_i·s^(-e_i)
    A: (challengeOf) => {
      const statement = { n, t, s: n - s };
      const bits = challengeOf(statement, { commitments: [] });
      const responses = respond(bits, own.lambda);
      const commitments = nonces.map((nonce, at) =>
        bits[at] === true ? n - order.t(nonce) : order.t(nonce),
      );
      return { statement, proof: { commitments, responses } };
    },
    // s = t^(z_i - a_i), computed after the bits are known
    s: (challengeOf) => {
      const bits = challengeOf(own.parameters, { commitments: honestCommitments });
      const late = 987_654_321n;
      const statement = { n, t, s: order.t(late) };
      return { statement, proof: { commitments: honestCommitments, responses: respond(bits, late) } };
    },
    // t' = t^late, chosen after the bits are known; the responses are divided by `late`
    t: (challengeOf) => {
      const bits = challengeOf(own.parameters, { commitments: honestCommitments });
      const late = 987_654_321n;
      const statement = { n, s, t: order.t(late) };
      return {
        statement,
        proof: { commitments: honestCommitments, responses: respond(bits, own.lambda, late) },
      };
    },
    // nothing to solve for: the honest transcript fits the challenge without the field
    "N^": (challengeOf) => {
      const bits = challengeOf(own.parameters, { commitments: honestCommitments });
      const proof = { commitments: honestCommitments, responses: respond(bits, own.lambda) };
      return { statement: own.parameters, proof };
    },
    iterations: (challengeOf) => {
      const bits = challengeOf(own.parameters, { commitments: honestCommitments });
      const proof = { commitments: honestCommitments, responses: respond(bits, own.lambda) };
      return { statement: own.parameters, proof };
    },
  },
});
