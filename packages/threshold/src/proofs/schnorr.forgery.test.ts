import {
  type Curve,
  ED25519,
  type GroupPoint,
  inverseOf,
  multiplyGenerator,
  multiplyKnown,
  SECP256K1,
  scalarOf,
} from "../curve.ts";
import { describeForgeries, FORGERY_CONTEXT } from "../testing/forgeries/forgeries.ts";
import { type SchnorrProof, type SchnorrStatement, verifySchnorr } from "./schnorr.ts";

/** Points whose logarithms no simulator uses. */
const pointOf = <P extends GroupPoint<P>>(curve: Curve<P>, seed: bigint): P => multiplyGenerator(curve, seed);

const describeSchnorr = <P extends GroupPoint<P>>(curve: Curve<P>): void => {
  const { generator, order } = curve;
  const salt = new Uint8Array(32).fill(5);
  const [x, nonce, z] = [123_456_789n, 987_654_321n, 192_837_465n];
  const X = pointOf(curve, x);
  const times = (point: P, factor: bigint): P => multiplyKnown(curve, point, factor);

  describeForgeries<SchnorrStatement<P>, Pick<SchnorrProof<P>, "commitment">, SchnorrProof<P>, bigint>({
    domain: "Πsch",
    fields: (statement, { commitment }) => ({
      G: generator,
      X: statement.point,
      salt: statement.salt,
      A: commitment,
    }),
    constants: ["G"],
    draw: (drawn) => drawn.below(order),
    holds: ({ statement, proof }, e) =>
      times(generator, proof.response).equals(proof.commitment.add(times(statement.point, e))),
    verify: ({ statement, proof }) => verifySchnorr(curve, FORGERY_CONTEXT, statement, proof),
    honest: (challengeOf) => {
      const statement = { point: X, salt };
      const commitment = pointOf(curve, nonce);
      const e = challengeOf(statement, { commitment });
      return { statement, proof: { commitment, response: scalarOf(curve, nonce + e * x) } };
    },
    forgeries: {
      // A = z·G - e·X, without knowledge of x
      A: (challengeOf) => {
        const statement = { point: X, salt };
        const e = challengeOf(statement, { commitment: generator });
        const commitment = times(generator, z).add(times(X, e).negate());
        return { statement, proof: { commitment, response: z } };
      },
      // X = (z·G - A)/e, whose logarithm nobody knows
      X: (challengeOf) => {
        const commitment = pointOf(curve, nonce);
        const e = challengeOf({ point: X, salt }, { commitment });
        const point = times(times(generator, z).add(commitment.negate()), inverseOf(curve, e));
        return { statement: { point, salt }, proof: { commitment, response: z } };
      },
      // the proof fits any salt, and so any run
      salt: (challengeOf) => {
        const statement = { point: X, salt };
        const commitment = pointOf(curve, nonce);
        const e = challengeOf(statement, { commitment });
        const proof = { commitment, response: scalarOf(curve, nonce + e * x) };
        return { statement: { point: X, salt: new Uint8Array(32).fill(6) }, proof };
      },
    },
  });
};

describeSchnorr(SECP256K1);
describeSchnorr(ED25519);
