import type { Edit, EditedFile } from "../edit.ts";

const PROOFS = "packages/threshold/src/proofs";

/** Leaves one component out of a list of the challenge's fields. */
const without = (component: string, find: string, put: string): Edit => ({
  weakens: `the challenge depends on ${component}`,
  find,
  put,
});

/** A file with its tests; the forgeries of the proof judge its challenge. */
const proof = (name: string, fields: readonly Edit[], checks: readonly Edit[]): readonly EditedFile[] => [
  { path: `${PROOFS}/${name}.ts`, tests: [`${PROOFS}/${name}.forgery.test.ts`], edits: fields },
  {
    path: `${PROOFS}/${name}.ts`,
    tests: [`${PROOFS}/${name}.test.ts`, `${PROOFS}/${name}.forgery.test.ts`],
    edits: checks,
  },
];

const SCHNORR = proof(
  "schnorr",
  [
    without("X", "[generator, point, salt, commitment]", "[generator, salt, commitment]"),
    without("the salt", "[generator, point, salt, commitment]", "[generator, point, commitment]"),
    without("A", "[generator, point, salt, commitment]", "[generator, point, salt]"),
  ],
  [
    {
      weakens: "X is not the identity",
      find: "statement.point.is0() || commitment.is0()",
      put: "commitment.is0()",
    },
    {
      weakens: "A is not the identity",
      find: "statement.point.is0() || commitment.is0()",
      put: "statement.point.is0()",
    },
    {
      weakens: "z·G = A + e·X",
      find: "response).equals(expected)",
      put: "response).equals(expected) || true",
    },
  ],
);

const RING_PEDERSEN_FIELDS = "[parameters.iterations, n, s, t, commitments]";
const RING_PEDERSEN = proof(
  "ring-pedersen-parameters",
  [
    without("its commitments", RING_PEDERSEN_FIELDS, "[parameters.iterations, n, s, t]"),
    without("N^", RING_PEDERSEN_FIELDS, "[parameters.iterations, s, t, commitments]"),
    without("s", RING_PEDERSEN_FIELDS, "[parameters.iterations, n, t, commitments]"),
    without("t", RING_PEDERSEN_FIELDS, "[parameters.iterations, n, s, commitments]"),
    without("the number of repetitions", RING_PEDERSEN_FIELDS, "[n, s, t, commitments]"),
  ],
  [
    {
      weakens: "there are m commitments",
      find: "commitments.length !== iterations || responses.length !== iterations",
      put: "responses.length !== iterations",
    },
    {
      weakens: "there are m responses",
      find: "commitments.length !== iterations || responses.length !== iterations",
      put: "commitments.length !== iterations",
    },
    {
      weakens: "s is a unit",
      find: "areUnits([s, t, ...commitments], n)",
      put: "areUnits([t, ...commitments], n)",
    },
    {
      weakens: "t is a unit",
      find: "areUnits([s, t, ...commitments], n)",
      put: "areUnits([s, ...commitments], n)",
    },
    { weakens: "A_i are units", find: "areUnits([s, t, ...commitments], n)", put: "areUnits([s, t], n)" },
    {
      weakens: "z_i is not negative",
      find: "response >= 0n && response < n",
      put: "response < n",
    },
    { weakens: "z_i is below N^", find: "response >= 0n && response < n", put: "response >= 0n" },
    { weakens: "all equations are checked", find: "commitments.every(\n", put: "commitments.some(\n" },
    {
      weakens: "the bits of the challenge count",
      find: "powers[i] === (bits[i] === true ? (commitment * s) % n : commitment)",
      put: "powers[i] === (bits[i] === true ? (powers[i] ?? 0n) : commitment)",
    },
  ],
);

const BLUM_FIELDS = "[parameters.iterations, n, w]";
const BLUM_MODULUS = proof(
  "paillier-blum-modulus",
  [
    without("w", BLUM_FIELDS, "[parameters.iterations, n]"),
    without("N", BLUM_FIELDS, "[parameters.iterations, w]"),
    without("the number of repetitions", BLUM_FIELDS, "[n, w]"),
  ],
  [
    {
      weakens: "there are m answers",
      find: "if (answers.length !== parameters.iterations) return false;",
      put: "",
    },
    // that N is odd is no edit: with an even N, half of all challenges have no N-th root, so no proof shows the difference
    { weakens: "N is composite", find: "(n & 1n) === 0n || isProbablePrime(n)", put: "(n & 1n) === 0n" },
    { weakens: "w is a unit (P2)", find: "!isUnit(w, n) || jacobi(w, n) !== -1", put: "jacobi(w, n) === 1" },
    {
      weakens: "the Jacobi symbol of w is -1",
      find: "!isUnit(w, n) || jacobi(w, n) !== -1",
      put: "!isUnit(w, n)",
    },
    {
      weakens: "x_i are units",
      find: "answers.map(({ x }) => x),\n      n,",
      put: "[1n],\n      n,",
    },
    {
      weakens: "z_i are units",
      find: "answers.map(({ z }) => z),\n      n,",
      put: "[1n],\n      n,",
    },
    {
      weakens: "all challenges differ (P4)",
      find: "if (new Set(ys).size !== parameters.iterations) return false;",
      put: "",
    },
    {
      weakens: "x_i is a fourth root",
      find: "answers.every(isFourthRoot) && answers.every(",
      put: "answers.every(",
    },
    {
      weakens: "z_i is an N-th root",
      find: "answers.every(isFourthRoot) && answers.every(({ z }, i) => powModulo(z, n, n) === ys[i])",
      put: "answers.every(isFourthRoot)",
    },
  ],
);

const FACTOR_PARTS = "const { commitmentP, commitmentQ, a, b, t, z1, z2, w1, w2, v } = proof;";
const FACTOR_LEAST = "  if (n <= 1n << BigInt(4 * parameters.ell)) return false;";
const FACTOR_BOUND = "squareRoot(n) << BigInt(parameters.ell + parameters.epsilon)";
const FACTOR_UNITS = "if (!areUnits([commitmentP, commitmentQ, a, b, t]";

/**
 * The checks that both verifiers of Πfac make: the owner of N^, and anybody. That P, Q, A, B and T are units needs no edit: the
 * equations imply it. Each has a product of units on one side, so that all factors of the other are units.
 *
 * @param before the line before the first
 */
const factorChecks = (to: string, before: string, modulus: string): readonly Edit[] => {
  const units = `${FACTOR_UNITS}, ${modulus})`;
  const ranges = `if (absolute(z1) > bound || absolute(z2) > bound) return false;\n  ${units}`;
  const least = `${before}\n${FACTOR_LEAST}`;
  return [
    { weakens: `N is above 2^(4ℓ)${to}`, find: least, put: before },
    {
      weakens: `z1 is in range${to}`,
      find: ranges,
      put: ranges.replace("absolute(z1) > bound || ", ""),
    },
    {
      weakens: `z2 is in range${to}`,
      find: ranges,
      put: ranges.replace(" || absolute(z2) > bound", ""),
    },
    {
      weakens: `the range of z1 and z2 is tight${to}`,
      find: `${least}\n  const bound = ${FACTOR_BOUND}`,
      put: `${least}\n  const bound = ${FACTOR_BOUND.replace("squareRoot(n)", "n")}`,
    },
  ];
};

const FACTOR_FIELDS = "verifier.t, commitmentP, commitmentQ, a, b, t];";
const NO_SMALL_FACTOR = proof(
  "no-small-factor",
  [
    without("P", FACTOR_FIELDS, "verifier.t, commitmentQ, a, b, t];"),
    without("Q", FACTOR_FIELDS, "verifier.t, commitmentP, a, b, t];"),
    without("A", FACTOR_FIELDS, "verifier.t, commitmentP, commitmentQ, b, t];"),
    without("B", FACTOR_FIELDS, "verifier.t, commitmentP, commitmentQ, a, t];"),
    without("T", FACTOR_FIELDS, "verifier.t, commitmentP, commitmentQ, a, b];"),
    without("A, B and T", FACTOR_FIELDS, "verifier.t, commitmentP, commitmentQ];"),
    without("t", FACTOR_FIELDS, "commitmentP, commitmentQ, a, b, t];"),
    without("s", "[ell, epsilon, n, verifier.n, verifier.s,", "[ell, epsilon, n, verifier.n,"),
    without("N^", "[ell, epsilon, n, verifier.n, verifier.s,", "[ell, epsilon, n, verifier.s,"),
    without("N", "[ell, epsilon, n, verifier.n, verifier.s,", "[ell, epsilon, verifier.n, verifier.s,"),
    without("ℓ", "[ell, epsilon, n, verifier.n, verifier.s,", "[epsilon, n, verifier.n, verifier.s,"),
    without("ε", "[ell, epsilon, n, verifier.n, verifier.s,", "[ell, n, verifier.n, verifier.s,"),
  ],
  [
    ...factorChecks("", "const modulus = own.parameters.n;", "modulus"),
    ...factorChecks(", to anybody", FACTOR_PARTS, "verifier.n"),
    {
      weakens: "s^z1·t^ω1 = A·P^e",
      find: "!opensTo(z1, w1, a, commitmentP) || !opensTo(z2, w2, b, commitmentQ)",
      put: "!opensTo(z2, w2, b, commitmentQ)",
    },
    {
      weakens: "s^z2·t^ω2 = B·Q^e",
      find: "!opensTo(z1, w1, a, commitmentP) || !opensTo(z2, w2, b, commitmentQ)",
      put: "!opensTo(z1, w1, a, commitmentP)",
    },
    {
      weakens: "Q^z1·t^v = T·s^(N·e)",
      find: "return product === (t * commitOwn(own, n * e, 0n)) % modulus;",
      put: "return product !== 0n;",
    },
    {
      weakens: "s^z1·t^ω1 = A·P^e, to anybody",
      find: "balances(z1, w1, [\n      [a, -1n],\n      [commitmentP, -e],\n    ]) &&",
      put: "",
    },
    {
      weakens: "s^z2·t^ω2 = B·Q^e, to anybody",
      find: "balances(z2, w2, [\n      [b, -1n],\n      [commitmentQ, -e],\n    ]) &&",
      put: "",
    },
    {
      weakens: "Q^z1·t^v = T·s^(N·e), to anybody",
      find: " &&\n    balances(-n * e, v, [\n      [commitmentQ, z1],\n      [t, -1n],\n    ])",
      put: "",
    },
  ],
);

const ELOG_FIELDS = "[GENERATOR, L, M, X, Y, H, A, N, B]";
const ELOG_POINTS = "[L, M, X, Y, H, A, N, B].some";
const ELGAMAL_LOG = proof(
  "elgamal-log",
  [
    ...["L", "M", "X", "Y", "H", "A", "N", "B"].map((name) =>
      without(name, ELOG_FIELDS, ELOG_FIELDS.replace(`, ${name}`, "")),
    ),
  ],
  [
    ...["L", "M", "X", "Y", "H", "A", "N", "B"].map(
      (name): Edit => ({
        weakens: `${name} is not the identity`,
        find: ELOG_POINTS,
        put: `[L, M, X, Y, H, A, N, B].filter((point) => point !== ${name}).some`,
      }),
    ),
    { weakens: "z·G = A + e·L", find: "combinePublic(GENERATOR, z, L, -e).equals(A) &&", put: "" },
    {
      weakens: "u·G + z·X = N + e·M",
      find: "multiplyPublic(GENERATOR, u)\n      .add(combinePublic(X, z, M, -e))\n      .equals(N) &&",
      put: "",
    },
    { weakens: "u·H = B + e·Y", find: "combinePublic(H, u, Y, -e).equals(B)", put: "true" },
  ],
);

const ENC_ELG_FIELDS = "[ell, epsilon, encryption.n, C, A, B, X, n, s, t, S, T, D, Y, Z]";
const ENC_ELG_NAMES = [
  " epsilon",
  " encryption.n",
  " C",
  " A",
  " B",
  " X",
  " n",
  " s",
  " t",
  " S",
  " T",
  " D",
  " Y",
  " Z",
];
const PAILLIER_ELGAMAL = proof(
  "paillier-elgamal",
  [
    without("ℓ", ENC_ELG_FIELDS, ENC_ELG_FIELDS.replace("ell, ", "")),
    ...ENC_ELG_NAMES.map((name) =>
      without(name.trim(), ENC_ELG_FIELDS, ENC_ELG_FIELDS.replace(`,${name}`, "")),
    ),
  ],
  [
    { weakens: "z1 is in ±2^(ℓ+ε)", find: "isWithin(z1, ell + epsilon) &&", put: "" },
    ...["A", "B", "X", "Y", "Z"].map(
      (name): Edit => ({
        weakens: `${name} is not the identity`,
        find: "![A, B, X, Y, Z].some",
        put: `![A, B, X, Y, Z].filter((point) => point !== ${name}).some`,
      }),
    ),
    { weakens: "z2 is below N0", find: "z2 < encryption.n &&", put: "" },
    { weakens: "C is a ciphertext", find: "[C, D, z2]", put: "[D, z2]" },
    { weakens: "D is a ciphertext", find: "[C, D, z2]", put: "[C, z2]" },
    { weakens: "S is a unit", find: "areUnitsKnowing([S, T]", put: "areUnitsKnowing([T]" },
    { weakens: "T is a unit", find: "areUnitsKnowing([S, T]", put: "areUnitsKnowing([S]" },
    { weakens: "w·G = Z + e·B", find: "combinePublic(GENERATOR, w, B, -e).equals(Z) &&", put: "" },
    {
      weakens: "w·A + z1·G = Y + e·X",
      find: "multiplyPublic(GENERATOR, z1)\n      .add(combinePublic(A, w, X, -e))\n      .equals(Y) &&",
      put: "",
    },
    {
      weakens: "s^z1·t^z3 = T·S^e",
      find: "[T, -1n],\n        [S, -e],\n      ],\n      own,\n    ) &&",
      put: "[T, -1n],\n        [S, -e],\n      ],\n      own,\n    ) !== undefined &&",
    },
    {
      weakens: "enc(z1; z2) = D·C^e",
      find: "[D, -1n],\n      [C, -e],\n    ])",
      put: "[D, -1n],\n      [C, -e],\n    ]) !== undefined",
    },
  ],
);

const AFFINE_STATEMENT = "[ell, epsilon, ellPrime, receiver.n, encryption.n, C, D, Y, X, n, s, t];";
const AFFINE_NAMES = [
  " epsilon",
  " ellPrime",
  " receiver.n",
  " encryption.n",
  " C",
  " D",
  " Y",
  " X",
  " n",
  " s",
  " t",
];
const AFFINE_COMMITMENTS = "[...statement, A, Bx, By, E, S, F, T]";
const AFFINE_OPERATION = proof(
  "affine-operation",
  [
    without("ℓ", AFFINE_STATEMENT, AFFINE_STATEMENT.replace("ell, ", "")),
    ...AFFINE_NAMES.map((name) =>
      without(name.trim(), AFFINE_STATEMENT, AFFINE_STATEMENT.replace(`,${name}`, "")),
    ),
    ...["A", "Bx", "By", "E", "S", "F", "T"].map((name) =>
      without(name, AFFINE_COMMITMENTS, AFFINE_COMMITMENTS.replace(`, ${name}`, "")),
    ),
  ],
  [
    { weakens: "z1 is in ±2^(ℓ+ε)", find: "isWithin(z1, ell + epsilon) &&", put: "" },
    { weakens: "z2 is in ±2^(ℓ′+ε)", find: "isWithin(z2, ellPrime + epsilon) &&", put: "" },
    { weakens: "X is not the identity", find: "![X, Bx].some", put: "![Bx].some" },
    { weakens: "Bx is not the identity", find: "![X, Bx].some", put: "![X].some" },
    { weakens: "w is below N_j", find: "w < receiver.n &&", put: "" },
    { weakens: "w_y is below N_i", find: "wY < encryption.n &&", put: "" },
    { weakens: "C is a ciphertext", find: "[C, D, A, w]", put: "[D, A, w]" },
    { weakens: "D is a ciphertext", find: "[C, D, A, w]", put: "[C, A, w]" },
    { weakens: "A is a ciphertext", find: "[C, D, A, w]", put: "[C, D, w]" },
    { weakens: "Y is a ciphertext", find: "[Y, By, wY]", put: "[By, wY]" },
    { weakens: "By is a ciphertext", find: "[Y, By, wY]", put: "[Y, wY]" },
    { weakens: "E is a unit", find: "areUnitsKnowing([E, S, F, T]", put: "areUnitsKnowing([S, F, T]" },
    { weakens: "S is a unit", find: "areUnitsKnowing([E, S, F, T]", put: "areUnitsKnowing([E, F, T]" },
    { weakens: "F is a unit", find: "areUnitsKnowing([E, S, F, T]", put: "areUnitsKnowing([E, S, T]" },
    { weakens: "T is a unit", find: "areUnitsKnowing([E, S, F, T]", put: "areUnitsKnowing([E, S, F]" },
    { weakens: "z1·G = Bx + e·X", find: "combinePublic(GENERATOR, z1, X, -e).equals(Bx) &&", put: "" },
    {
      weakens: "s^z1·t^z3 = E·S^e",
      find: "[E, -1n],\n      [S, -e],\n    ],\n    own?.pedersen,\n  ) &&",
      put: "[E, -1n],\n      [S, -e],\n    ],\n    own?.pedersen,\n  ) !== undefined &&",
    },
    {
      weakens: "s^z2·t^z4 = F·T^e",
      find: "[F, -1n],\n      [T, -e],\n    ],\n    own?.pedersen,\n  ) &&",
      put: "[F, -1n],\n      [T, -e],\n    ],\n    own?.pedersen,\n  ) !== undefined &&",
    },
    {
      weakens: "enc_Ni(z2; w_y) = By·Y^e",
      find: "[By, -1n],\n    [Y, -e],\n  ]);",
      put: "[By, -1n],\n    [Y, -e],\n  ]) !== undefined;",
    },
    {
      weakens: "C^z1·enc_Nj(z2; w) = A·D^e, for anybody",
      find: "return isBalanced && doOthersHold(statement, proof, e, undefined);",
      put: "return doOthersHold(statement, proof, e, undefined);",
    },
    {
      weakens: "the other equations, for anybody",
      find: "return isBalanced && doOthersHold(statement, proof, e, undefined);",
      put: "return isBalanced;",
    },
    {
      weakens: "C^z1·enc_Nj(z2; w) = A·D^e, for the receiver",
      find: "return isBalanced && doOthersHold(statement, proof, e, own) ? d : undefined;",
      put: "return doOthersHold(statement, proof, e, own) ? d : undefined;",
    },
    {
      weakens: "the other equations, for the receiver",
      find: "return isBalanced && doOthersHold(statement, proof, e, own) ? d : undefined;",
      put: "return isBalanced ? d : undefined;",
    },
    {
      weakens: "a mask serves one prover and one verifier",
      find: "!isForBoth || !isSameRingPedersen(made.pedersen, pedersen)",
      put: "!isForBoth",
    },
  ],
);

const BALANCE: EditedFile = {
  path: `${PROOFS}/balance.ts`,
  tests: [`${PROOFS}/affine-operation.test.ts`, `${PROOFS}/paillier-elgamal.test.ts`],
  edits: [
    { weakens: "both sides are equal", find: "return left === right;", put: "return left !== 0n;" },
    {
      weakens: "negative exponents stand on the other side",
      find: "if (exponent < 0n) right = (right * raised) % modulus;\n    else left",
      put: "left",
    },
    { weakens: "the plaintexts balance, for the owner", find: "sum % n === 0n && isOne", put: "isOne" },
    {
      weakens: "the nonces balance, for the owner",
      find: "sum % n === 0n && isOne(n, raise(nonce, n), residues, raise)",
      put: "sum % n === 0n",
    },
  ],
};

const TRANSCRIPT: EditedFile = {
  path: "packages/threshold/src/transcript.ts",
  tests: ["packages/threshold/src/transcript.test.ts", `${PROOFS}/schnorr.test.ts`],
  edits: [
    ...["domain", "session", "epoch", "prover", "verifier", "position"].map((name) =>
      without(
        `the ${name}`,
        '["conclave/v1", domain, session, epoch, prover, verifier, position, fields]',
        `["conclave/v1", domain, session, epoch, prover, verifier, position, fields].filter((_, at) => at !== ${
          ["domain", "session", "epoch", "prover", "verifier", "position"].indexOf(name) + 1
        })`,
      ),
    ),
    {
      weakens: "fields carry their length (P3)",
      find: "setUint32(1, body.length);",
      put: "setUint32(1, 0);",
    },
    {
      weakens: "fields carry their type",
      find: "framed[0] = tag;",
      put: "framed[0] = 0;",
    },
    {
      weakens: "integers carry their sign",
      find: "Uint8Array.of(value < 0n ? 1 : 0)",
      put: "Uint8Array.of(0)",
    },
    {
      weakens: "digests depend on their domain",
      find: '["conclave/v1", domain, fields]',
      put: '["conclave/v1", fields]',
    },
    {
      weakens: "challenges lie below their bound",
      find: "if (candidate < bound) return candidate;",
      put: "return candidate;",
    },
    {
      weakens: "units are units",
      find: "drawn.filter((value) => isUnit(value, modulus))",
      put: "drawn",
    },
    {
      weakens: "the bits of a challenge are those of the stream (P4)",
      find: "(stream.xof(1)[0] ?? 0) >> 7 === 1",
      put: "(stream.clone().xof(1)[0] ?? 0) >> 7 === 1",
    },
  ],
};

/** Every check of the proofs, and every component of their challenges. */
export const PROOF_EDITS: readonly EditedFile[] = [
  ...SCHNORR,
  ...RING_PEDERSEN,
  ...BLUM_MODULUS,
  ...NO_SMALL_FACTOR,
  ...ELGAMAL_LOG,
  ...PAILLIER_ELGAMAL,
  ...AFFINE_OPERATION,
  BALANCE,
  TRANSCRIPT,
];
