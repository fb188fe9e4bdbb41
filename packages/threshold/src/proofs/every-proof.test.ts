import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Curve,
  ED25519,
  type GroupPoint,
  multiplyGenerator,
  SECP256K1,
  sampleScalarOf,
} from "../curve.ts";
import { type Entropy, sampleSymmetric, sampleUnit } from "../entropy.ts";
import {
  GENERATOR,
  lift,
  multiply,
  multiplyBase,
  type Point,
  samplePoint,
  sampleScalar,
  scalar,
} from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { add, encrypt, negate, scale } from "../paillier.ts";
import type { RingPedersen } from "../ring-pedersen.ts";
import { insecureAuxiliaryPrimes, insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import type { ProofContext } from "../transcript.ts";
import {
  type AffineOperationStatement,
  type AffineOperationWitness,
  prepareAffineOperation,
  proveAffineOperation,
  verifyAffineOperation,
} from "./affine-operation.ts";
import {
  type ElGamalLogStatement,
  type ElGamalLogWitness,
  proveElGamalLog,
  verifyElGamalLog,
} from "./elgamal-log.ts";
import { proveNoSmallFactor, verifyNoSmallFactor } from "./no-small-factor.ts";
import { proveBlumModulus, verifyBlumModulus } from "./paillier-blum-modulus.ts";
import {
  type PaillierElGamalStatement,
  type PaillierElGamalWitness,
  preparePaillierElGamal,
  provePaillierElGamal,
  verifyPaillierElGamal,
} from "./paillier-elgamal.ts";
import { proveRingPedersen, verifyRingPedersen } from "./ring-pedersen-parameters.ts";
import { proveSchnorr, type SchnorrStatement, verifySchnorr } from "./schnorr.ts";

const context: ProofContext = {
  session: new Uint8Array(32).fill(1),
  epoch: 4,
  prover: 1,
  verifier: 2,
  position: "every proof",
};
const own = insecureOwnAuxiliary(1);
const verifier = insecureOwnAuxiliary(2);
const third = insecureOwnAuxiliary(3);
const { pedersen } = verifier;

/** A proof system, in the form that the properties below need. */
interface System<Statement, Witness, Proof> {
  readonly runs: number;
  readonly witness: (entropy: Entropy) => Witness;
  /** the statement of the witness */
  readonly state: (witness: Witness) => Statement;
  readonly prove: (statement: Statement, witness: Witness, entropy: Entropy) => Proof;
  readonly verify: (statement: Statement, proof: Proof) => boolean;
  /** witnesses that differ in one component */
  readonly wrong: Readonly<Record<string, (witness: Witness) => Witness>>;
  /** statements that differ in one component */
  readonly other: Readonly<Record<string, (statement: Statement) => Statement>>;
}

/** Runs a property on fresh randomness; a failure prints the seed that repeats it. */
const always = (runs: number, holds: (entropy: Entropy) => void): void =>
  fc.assert(
    fc.property(fc.nat(), (seed) => holds(seededEntropy(`every proof/${seed}`))),
    { numRuns: runs },
  );

const describeSystem = <Statement, Witness, Proof>(
  name: string,
  { runs, witness, state, prove, verify, wrong, other }: System<Statement, Witness, Proof>,
): void => {
  describe(name, () => {
    it("is complete: every honest proof is accepted", () => {
      always(runs, (entropy) => {
        const known = witness(entropy);
        expect(verify(state(known), prove(state(known), known, entropy))).toBe(true);
      });
    });

    it.each(Object.entries(wrong))("is sound: with another %s there is no proof", (_, change) => {
      always(runs, (entropy) => {
        const known = witness(entropy);
        const statement = state(known);
        expect(verify(statement, prove(statement, change(known), entropy))).toBe(false);
      });
    });

    it.each(Object.entries(other))("binds its statement: it proves nothing of another %s", (_, change) => {
      always(runs, (entropy) => {
        const known = witness(entropy);
        const proof = prove(state(known), known, entropy);
        expect(verify(change(state(known)), proof)).toBe(false);
      });
    });
  });
};

const next = (value: bigint): bigint => value + 1n;
const nextScalar = (value: bigint): bigint => scalar(value + 1n);
const moved = (point: Point): Point => point.add(GENERATOR);

/** Ring-Pedersen parameters with another N^, another s or another t. */
const otherPedersen: readonly (readonly [string, (parameters: RingPedersen) => RingPedersen])[] = [
  ["N^", (known) => ({ ...known, n: third.pedersen.parameters.n })],
  ["s", (known) => ({ ...known, s: (known.s * known.t) % known.n })],
  ["t", (known) => ({ ...known, t: (known.t * known.s) % known.n })],
];

const withOtherPedersen = <Statement extends { readonly pedersen: RingPedersen }>() =>
  Object.fromEntries(
    otherPedersen.map(([name, change]) => [
      name,
      (statement: Statement): Statement => ({ ...statement, pedersen: change(statement.pedersen) }),
    ]),
  );

const schnorrOver = <P extends GroupPoint<P>>(
  curve: Curve<P>,
): System<SchnorrStatement<P>, bigint, ReturnType<typeof proveSchnorr<P>>> => ({
  runs: 10,
  witness: (entropy) => sampleScalarOf(curve, entropy),
  state: (x) => ({ point: multiplyGenerator(curve, x), salt: new Uint8Array(32).fill(5) }),
  prove: (statement, x, entropy) => proveSchnorr(curve, context, statement, x, entropy),
  verify: (statement, proof) => verifySchnorr(curve, context, statement, proof),
  wrong: { x: next },
  other: {
    X: (statement) => ({ ...statement, point: statement.point.add(curve.generator) }),
    salt: (statement) => ({ ...statement, salt: new Uint8Array(32).fill(6) }),
  },
});

describeSystem("Πsch over secp256k1", schnorrOver(SECP256K1));
describeSystem("Πsch over Ed25519", schnorrOver(ED25519));

const key = samplePoint(seededEntropy("key"));
const base = samplePoint(seededEntropy("base"));

describeSystem<ElGamalLogStatement, ElGamalLogWitness, ReturnType<typeof proveElGamalLog>>("Πelog", {
  runs: 8,
  witness: (entropy) => ({ y: sampleScalar(entropy), lambda: sampleScalar(entropy) }),
  state: ({ y, lambda }) => ({
    L: multiplyBase(lambda),
    M: multiplyBase(y).add(multiply(key, lambda)),
    X: key,
    Y: multiply(base, y),
    H: base,
  }),
  prove: (statement, witness, entropy) => proveElGamalLog(context, statement, witness, entropy),
  verify: (statement, proof) => verifyElGamalLog(context, statement, proof),
  wrong: {
    y: (known) => ({ ...known, y: nextScalar(known.y) }),
    λ: (known) => ({ ...known, lambda: nextScalar(known.lambda) }),
  },
  other: Object.fromEntries(
    (["L", "M", "X", "Y", "H"] as const).map((name) => [
      name,
      (statement: ElGamalLogStatement) => ({ ...statement, [name]: moved(statement[name]) }),
    ]),
  ),
});

describeSystem<PaillierElGamalStatement, PaillierElGamalWitness, ReturnType<typeof provePaillierElGamal>>(
  "Πenc-elg",
  {
    runs: 3,
    witness: (entropy) => ({
      x: lift(sampleScalar(entropy)),
      rho: sampleUnit(entropy, own.paillier.publicKey.n),
      a: sampleScalar(entropy),
      b: sampleScalar(entropy),
    }),
    state: ({ x, rho, a, b }) => ({
      encryption: own.paillier.publicKey,
      C: encrypt(own.paillier.publicKey, x, rho),
      A: multiplyBase(a),
      B: multiplyBase(b),
      X: multiplyBase(a * b + x),
      pedersen: pedersen.parameters,
    }),
    prove: (statement, witness, entropy) => {
      const mask = preparePaillierElGamal(parameters, own.paillier, statement.pedersen, entropy);
      return provePaillierElGamal(context, parameters, statement, witness, own.paillier, mask);
    },
    verify: (statement, proof) => verifyPaillierElGamal(context, parameters, statement, proof),
    wrong: {
      x: (known) => ({ ...known, x: next(known.x) }),
      ρ: (known) => ({ ...known, rho: next(known.rho) }),
      a: (known) => ({ ...known, a: nextScalar(known.a) }),
      b: (known) => ({ ...known, b: nextScalar(known.b) }),
    },
    other: {
      N0: (statement) => ({ ...statement, encryption: third.paillier.publicKey }),
      C: (statement) => ({ ...statement, C: negate(statement.encryption, statement.C) }),
      A: (statement) => ({ ...statement, A: moved(statement.A) }),
      B: (statement) => ({ ...statement, B: moved(statement.B) }),
      X: (statement) => ({ ...statement, X: moved(statement.X) }),
      ...withOtherPedersen<PaillierElGamalStatement>(),
    },
  },
);

const receiver = verifier.paillier.publicKey;
const multiplied = encrypt(receiver, 12_345n, 7n);

describeSystem<AffineOperationStatement, AffineOperationWitness, ReturnType<typeof proveAffineOperation>>(
  "Πaff-g",
  {
    runs: 2,
    witness: (entropy) => ({
      x: lift(sampleScalar(entropy)),
      y: sampleSymmetric(entropy, 1n << BigInt(parameters.ellPrime)),
      rho: sampleUnit(entropy, receiver.n),
      rhoY: sampleUnit(entropy, own.paillier.publicKey.n),
    }),
    state: ({ x, y, rho, rhoY }) => ({
      receiver,
      encryption: own.paillier.publicKey,
      C: multiplied,
      D: add(receiver, scale(receiver, multiplied, x), encrypt(receiver, y, rho)),
      Y: encrypt(own.paillier.publicKey, y, rhoY),
      X: multiplyBase(x),
      pedersen: pedersen.parameters,
    }),
    prove: (statement, { x, ...offset }, entropy) => {
      const peer = { paillier: statement.receiver, pedersen: statement.pedersen };
      const mask = prepareAffineOperation(parameters, own.paillier, peer, offset, entropy);
      return proveAffineOperation(context, parameters, statement, x, own.paillier, mask);
    },
    verify: (statement, proof) => verifyAffineOperation(context, parameters, statement, proof),
    wrong: {
      x: (known) => ({ ...known, x: next(known.x) }),
      y: (known) => ({ ...known, y: next(known.y) }),
      "sign of y": (known) => ({ ...known, y: -known.y }),
      ρ: (known) => ({ ...known, rho: next(known.rho) }),
      ρ_y: (known) => ({ ...known, rhoY: next(known.rhoY) }),
    },
    other: {
      N_j: (statement) => ({ ...statement, receiver: third.paillier.publicKey }),
      N_i: (statement) => ({ ...statement, encryption: third.paillier.publicKey }),
      C: (statement) => ({ ...statement, C: negate(statement.receiver, statement.C) }),
      D: (statement) => ({ ...statement, D: negate(statement.receiver, statement.D) }),
      Y: (statement) => ({ ...statement, Y: negate(statement.encryption, statement.Y) }),
      X: (statement) => ({ ...statement, X: moved(statement.X) }),
      ...withOtherPedersen<AffineOperationStatement>(),
    },
  },
);

interface OfN {
  readonly n: bigint;
}

const primes = insecureAuxiliaryPrimes(4);
const { factors } = own.paillier;

describeSystem<OfN, typeof factors, ReturnType<typeof proveBlumModulus>>("Πmod", {
  runs: 2,
  witness: () => factors,
  state: ({ n }) => ({ n }),
  prove: (_, known, entropy) => proveBlumModulus(context, parameters, known, entropy),
  verify: ({ n }, proof) => verifyBlumModulus(context, parameters, n, proof),
  wrong: { "p and q": () => third.paillier.factors },
  other: {
    N: () => ({ n: third.paillier.factors.n }),
    "N with one prime in common": ({ n }) => ({ n: (n / factors.p) * primes.p }),
  },
});

interface Factored extends OfN {
  readonly pedersen: RingPedersen;
}

describeSystem<Factored, { readonly p: bigint; readonly q: bigint }, ReturnType<typeof proveNoSmallFactor>>(
  "Πfac",
  {
    runs: 3,
    witness: () => ({ p: factors.p, q: factors.q }),
    state: ({ p, q }) => ({ n: p * q, pedersen: pedersen.parameters }),
    prove: (statement, known, entropy) =>
      proveNoSmallFactor(context, parameters, known, statement.pedersen, entropy),
    verify: ({ n, pedersen: shown }, proof) =>
      verifyNoSmallFactor(context, parameters, n, { ...pedersen, parameters: shown }, proof),
    wrong: {
      p: (known) => ({ ...known, p: primes.p }),
      q: (known) => ({ ...known, q: primes.q }),
    },
    other: {
      N: (statement) => ({ ...statement, n: third.paillier.factors.n }),
      ...withOtherPedersen<Factored>(),
    },
  },
);

describeSystem<RingPedersen, bigint, ReturnType<typeof proveRingPedersen>>("Πprm", {
  runs: 2,
  witness: () => pedersen.lambda,
  state: () => pedersen.parameters,
  prove: (statement, lambda, entropy) =>
    proveRingPedersen(context, parameters, { ...pedersen, parameters: statement, lambda }, entropy),
  verify: (statement, proof) => verifyRingPedersen(context, parameters, statement, proof),
  wrong: { λ: next },
  other: Object.fromEntries(otherPedersen),
});
