import type { EditedFile } from "../edit.ts";

const THRESHOLD = "packages/threshold/src";
const apart = [`${THRESHOLD}/checks/checks-apart.test.ts`];

const CHECK_RESULT: EditedFile = {
  path: `${THRESHOLD}/checks/check-result.ts`,
  tests: [...apart, `${THRESHOLD}/checks/check-result.test.ts`],
  edits: [
    {
      weakens: "a flaw fails the check",
      find: 'flaw === undefined ? { kind: "stands"',
      put: 'flaw === undefined || flaw !== "" ? { kind: "stands"',
    },
    {
      weakens: "a failed check comes with no values",
      find: 'return found.length === 0 ? { kind: "fails", check } : undefined;',
      put: 'return { kind: "fails", check };',
    },
    {
      weakens: "a named check has failed",
      find: 'if (check === "") return',
      put: "if (check !== undefined) return",
    },
  ],
};

const JOB: EditedFile = {
  path: `${THRESHOLD}/checks/job.ts`,
  tests: apart,
  edits: [
    {
      weakens: "a job that does not decode is an error",
      find: "if (!decoded.ok) throw new RangeError(`not a job: ${decoded.reason}`);",
      put: "if (!decoded.ok) return standsUnless(undefined);",
    },
    {
      weakens: "a check of a peer needs its auxiliary info",
      find: 'if (value === undefined) throw new RangeError("this check needs',
      put: 'if (value === null) throw new RangeError("this check needs',
    },
    {
      weakens: "commitments are checked",
      find: "return standsUnless(flawOfCommitments(parameters, pedersen.parameters, peer, check, pedersen));",
      put: "return standsUnless(pedersen && peer && check && undefined);",
    },
    {
      weakens: "ring-Pedersen parameters are checked",
      find: "return standsUnless(flawOfParametersProof(parameters, decoded.value.check));",
      put: "return standsUnless(undefined);",
    },
    {
      weakens: "moduli are checked",
      find: "return standsUnless(flawOfModulusProof(parameters, decoded.value.check));",
      put: "return standsUnless(undefined);",
    },
  ],
};

const PROOF_CHECK: EditedFile = {
  path: `${THRESHOLD}/auxiliary/proof-check.ts`,
  tests: [`${THRESHOLD}/auxiliary/auxiliary.test.ts`],
  edits: [
    {
      weakens: "Πprm verifies",
      find: "pedersen, proof)\n    ? undefined",
      put: "pedersen, proof) || true\n    ? undefined",
    },
    {
      weakens: "Πmod verifies",
      find: "parameters, n, proof)\n    ? undefined",
      put: "parameters, n, proof) || true\n    ? undefined",
    },
  ],
};

const moduli = [`${THRESHOLD}/auxiliary/moduli.test.ts`, `${THRESHOLD}/auxiliary/auxiliary.test.ts`];
const MODULI: EditedFile = {
  path: `${THRESHOLD}/auxiliary/moduli.ts`,
  tests: moduli,
  edits: [
    {
      weakens: "a modulus is long enough",
      find: "bits < parameters.modulusBitsMin || bits > 2 * parameters.primeBits",
      put: "bits > 2 * parameters.primeBits",
    },
    {
      weakens: "a modulus is odd",
      find: 'if ((n & 1n) === 0n) return "oddness";',
      put: 'if (n === 0n) return "oddness";',
    },
    {
      weakens: "a modulus has no small factor (P1)",
      find: 'if (hasSmallFactor(n)) return "small factors";',
      put: "",
    },
    { weakens: "a modulus is composite", find: 'if (isProbablePrime(n)) return "compositeness";', put: "" },
    {
      weakens: "a modulus is no power",
      find: 'isPerfectPower(n, SMALL_FACTOR_BITS) ? "perfect power" : undefined',
      put: "undefined",
    },
    { weakens: "s is above 1", find: "s <= 1n || s >= nHat", put: "s >= nHat" },
    { weakens: "t is above 1", find: "t <= 1n || t >= nHat", put: "t >= nHat" },
    { weakens: "s is below N^", find: "s <= 1n || s >= nHat", put: "s <= 1n" },
    { weakens: "t is below N^", find: "t <= 1n || t >= nHat", put: "t <= 1n" },
    { weakens: "s and t differ", find: 'if (s === t) return "s ≠ t";', put: "" },
    {
      weakens: "s is prime to N^",
      find: "gcd(s, nHat) === 1n && gcd(t, nHat) === 1n",
      put: "gcd(t, nHat) === 1n",
    },
    {
      weakens: "t is prime to N^",
      find: "gcd(s, nHat) === 1n && gcd(t, nHat) === 1n",
      put: "gcd(s, nHat) === 1n",
    },
    { weakens: "N and N^ differ", find: 'if (opening.n === opening.nHat) return "N ≠ N^";', put: "" },
    { weakens: "N is checked", find: "if (flawOfN !== undefined) return `N: ${flawOfN}`;", put: "" },
    {
      weakens: "N^ is checked",
      find: "flawOfNHat === undefined ? flawOfBases(opening) : `N^: ${flawOfNHat}`",
      put: "flawOfNHat === flawOfNHat ? flawOfBases(opening) : `N^: ${flawOfNHat}`",
    },
    {
      weakens: "no N is another's N or N^",
      find: "modulus === b.n || modulus === b.nHat",
      put: "modulus === b.nHat",
    },
    {
      weakens: "no N^ is another's N or N^",
      find: "modulus === b.n || modulus === b.nHat",
      put: "modulus === b.n",
    },
    {
      weakens: "two parties with one N are named",
      find: "if (seen.has(paillier.n) || seen.has(pedersen.n))",
      put: "if (seen.has(pedersen.n))",
    },
    {
      weakens: "no two N^ are equal",
      find: "if (seen.has(paillier.n) || seen.has(pedersen.n))",
      put: "if (seen.has(paillier.n))",
    },
  ],
};

const AUXILIARY_ROUNDS: readonly EditedFile[] = [
  {
    path: `${THRESHOLD}/auxiliary/round2.ts`,
    tests: moduli,
    edits: [
      {
        weakens: "openings are opened",
        find: 'if ("kind" in opened) return opened;\n    const { opening } = opened;',
        put: 'if ("kind" in opened) throw new Error("fault");\n    const { opening } = opened;',
      },
      {
        weakens: "moduli of openings are checked",
        find: "if (flaw !== undefined) return accuse(party, `aux/2 ${flaw}`);",
        put: "",
      },
      {
        weakens: "nobody presents our moduli",
        find: 'if (shareModulus(own, opening)) return accuse(party, "aux/2 moduli distinct from ours");',
        put: "",
      },
      {
        weakens: "a failed Πprm is a fault",
        find: 'if (result.kind === "fails") return accuse(peer, result.check);',
        put: "",
      },
    ],
  },
  {
    path: `${THRESHOLD}/auxiliary/round3.ts`,
    tests: [...moduli, `${THRESHOLD}/auxiliary/round3.test.ts`],
    edits: [
      {
        weakens: "proofs decode",
        find: 'if (reading.kind === "fails") return accuse(peer, reading.check);',
        put: 'if (reading.kind === "fails") continue;',
      },
      { weakens: "Πfac verifies", find: 'if (!isProven) return accuse(peer, "aux/3 Πfac");', put: "" },
      {
        weakens: "a failed Πmod is a fault",
        find: 'if (result.kind === "fails") return accuse(peer, result.check);',
        put: "",
      },
      { weakens: "moduli do not collide", find: "if (collision !== undefined) return collision;", put: "" },
    ],
  },
  {
    path: `${THRESHOLD}/opening.ts`,
    tests: [`${THRESHOLD}/keygen/keygen.test.ts`, ...moduli],
    edits: [
      {
        weakens: "commitments have their length",
        find: "if (!commitment.ok) return accuse(peer, `${protocol}/1 decoding: ${commitment.reason}`);\n    commitments.set(peer, commitment.value);",
        put: "if (commitment.ok) commitments.set(peer, commitment.value);",
      },
      {
        weakens: "an opening is what was committed to (P12)",
        find: "commitment === undefined || !equalBytes(commit(from, opening.value), commitment)",
        put: "commitment === undefined",
      },
      { weakens: "joint randomness is of all parties", find: "(sum[at] ?? 0) ^ byte", put: "byte" },
    ],
  },
];

const COMPUTE = "packages/cluster/src/compute";

/** Messages between a signer's main thread and those that compute. */
const THREAD_EDITS: readonly EditedFile[] = [
  {
    path: `${COMPUTE}/clone.ts`,
    tests: [`${COMPUTE}/clone.test.ts`],
    edits: [
      {
        weakens: "a secret is hidden again where it arrives (INV-10)",
        find: "return new Secret(hidden(clone[IN_CLEAR]));",
        put: "return hidden(clone[IN_CLEAR]);",
      },
      {
        weakens: "an instance of another class does not leave",
        find: "prototype !== Object.prototype && prototype !== null",
        put: "prototype === undefined",
      },
      {
        weakens: "bytes leave without what lies beside them",
        find: "bytes.length === bytes.buffer.byteLength",
        put: "bytes.length > 0",
      },
    ],
  },
  {
    path: `${COMPUTE}/progress.ts`,
    tests: [`${COMPUTE}/progress.test.ts`],
    edits: [
      {
        weakens: "a fault comes with as many messages as evidence may have (P13)",
        find: "fault: shortened(outcome.fault), ",
        put: "",
      },
    ],
  },
  {
    path: `${COMPUTE}/signing/signing.ts`,
    tests: [`${COMPUTE}/host.test.ts`],
    edits: [
      {
        weakens: "the thread that computes joins no chosen digest with a presignature of the pool (P7)",
        find: 'if (!isObserved(digest)) throw new Error("a presignature of the pool meets no digest that was chosen (P7)");',
        put: "if (!isObserved(digest)) void digest;",
      },
    ],
  },
];

/** The checks that other threads perform, the messages to them, and those of auxiliary generation. */
export const CHECK_EDITS: readonly EditedFile[] = [
  CHECK_RESULT,
  JOB,
  PROOF_CHECK,
  MODULI,
  ...AUXILIARY_ROUNDS,
  ...THREAD_EDITS,
];
