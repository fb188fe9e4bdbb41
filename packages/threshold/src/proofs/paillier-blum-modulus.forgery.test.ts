import { nthRoot, powerModN } from "../arithmetic/factored.ts";
import { jacobi, modulo } from "../arithmetic/integers.ts";
import { powModulo } from "../arithmetic/openssl.ts";
import { sampleUnit } from "../entropy.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { describeForgeries, FORGERY_CONTEXT, type Simulator } from "../testing/forgeries/forgeries.ts";
import { insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { type BlumModulusAnswer, type BlumModulusProof, verifyBlumModulus } from "./paillier-blum-modulus.ts";

interface Statement {
  readonly n: bigint;
}
type Commitments = Pick<BlumModulusProof, "w">;
type Forge = Simulator<Statement, Commitments, BlumModulusProof, readonly bigint[]>;

const { factors } = insecureOwnAuxiliary(1).paillier;
const { n, p, q, phi } = factors;
const { iterations } = parameters;

/** The first unit of a seeded stream whose Jacobi symbol is -1. */
const nonSquare = (seed: string): bigint => {
  const entropy = seededEntropy(seed);
  for (;;) {
    const w = sampleUnit(entropy, n);
    if (jacobi(w, n) === -1) return w;
  }
};

const CHOICES = [false, true].flatMap((a) => [false, true].map((b) => ({ a, b })));

const twist = (w: bigint, y: bigint, { a, b }: Pick<BlumModulusAnswer, "a" | "b">): bigint =>
  modulo((a ? -1n : 1n) * (b ? w : 1n) * y, n);

const answer = (w: bigint, y: bigint): BlumModulusAnswer => {
  const isSquare = (value: bigint): boolean => jacobi(value, p) === 1 && jacobi(value, q) === 1;
  const chosen = CHOICES.find((choice) => isSquare(twist(w, y, choice))) ?? { a: false, b: false };
  const x = powerModN(factors, twist(w, y, chosen), ((phi + 4n) / 8n) ** 2n);
  return { x, ...chosen, z: nthRoot(factors, y) };
};

/** Draws the challenge for one w, and answers with another w, or with the same. */
const simulate =
  (asked: bigint, shown: bigint): Forge =>
  (challengeOf) => {
    const ys = challengeOf({ n }, { w: asked });
    return { statement: { n }, proof: { w: shown, answers: ys.map((y) => answer(shown, y)) } };
  };
const honest = nonSquare("w");

describeForgeries<Statement, Commitments, BlumModulusProof, readonly bigint[]>({
  domain: "Πmod",
  fields: (statement, { w }) => ({ iterations, N: statement.n, w }),
  constants: [],
  draw: (drawn, statement) => drawn.units(statement.n, iterations),
  holds: ({ proof: { w, answers } }, ys) =>
    jacobi(w, n) === -1 &&
    answers.every(
      ({ x, a, b, z }, at) =>
        powModulo(x, 4n, n) === twist(w, ys[at] ?? 0n, { a, b }) && powModulo(z, n, n) === ys[at],
    ),
  verify: ({ statement, proof }) => verifyBlumModulus(FORGERY_CONTEXT, parameters, statement.n, proof),
  honest: simulate(honest, honest),
  forgeries: {
    // chosen after the y_i are known
    w: simulate(honest, nonSquare("another w")),
    // nothing to solve for: the honest transcript fits the challenge without the field
    N: simulate(honest, honest),
    iterations: simulate(honest, honest),
  },
});
