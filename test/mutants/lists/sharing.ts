import type { EditedFile } from "../edit.ts";

const SHARING = "packages/threshold/src/sharing";
const tests = [
  `${SHARING}/sharing.test.ts`,
  `${SHARING}/any-sharing.test.ts`,
  `${SHARING}/sharing-curves.test.ts`,
];

const DEALT_SHARE: EditedFile = {
  path: `${SHARING}/dealt-share.ts`,
  tests: ["packages/threshold/src/keygen/keygen.test.ts"],
  edits: [
    {
      weakens: "a dealt share lies on the committed polynomial",
      find: "return isShareOf(curve, commitment, to, share.value)\n",
      put: "return isShareOf(curve, commitment, to, share.value) || true\n",
    },
    {
      weakens: "a share that does not decode is its dealer's fault",
      find: "if (!share.ok) return accuse(from, `${protocol}/2 decoding of the share: ${share.reason}`);",
      put: "if (!share.ok) return { share: 0n };",
    },
    {
      weakens: "the fault of a share names its dealer",
      find: ": accuse(from, `${protocol}/2 Feldman",
      put: ": accuse(to, `${protocol}/2 Feldman",
    },
  ],
};

const FELDMAN: EditedFile = {
  path: `${SHARING}/feldman.ts`,
  tests,
  edits: [
    {
      weakens: "commitments of other degrees are not added (P10)",
      find: "commitments.some((commitment) => commitment.length !== length)",
      put: "commitments.some(() => false)",
    },
    {
      weakens: "a share is compared with the commitment at its receiver",
      find: "evaluateCommitment(curve, commitment, receiver));",
      put: "evaluateCommitment(curve, commitment, receiver)) || share !== 0n;",
    },
    {
      weakens: "all coefficients count",
      find: "commitment.reduceRight((sum",
      put: "commitment.slice(0, 2).reduceRight((sum",
    },
  ],
};

const LAGRANGE: EditedFile = {
  path: `${SHARING}/lagrange.ts`,
  tests,
  edits: [
    {
      weakens: "there is an index",
      find: "if (reduced.length === 0) throw",
      put: "if (reduced.length < 0) throw",
    },
    {
      weakens: "no index is zero mod q (P10)",
      find: "if (reduced.includes(0n)) throw",
      put: "if (indices.includes(0)) throw",
    },
    {
      weakens: "no index is zero",
      find: "if (reduced.includes(0n)) throw",
      put: "if (reduced.includes(-1n)) throw",
    },
    {
      weakens: "no two indices are equal mod q (P10)",
      find: "new Set(reduced).size !== reduced.length",
      put: "new Set(indices).size !== reduced.length",
    },
    {
      weakens: "no two indices are equal",
      find: "new Set(reduced).size !== reduced.length",
      put: "new Set(reduced).size > reduced.length",
    },
    {
      weakens: "a coefficient is of one of the indices",
      find: "if (coefficient === undefined) throw new RangeError(`index ${of} is not among those interpolated over`);\n  return coefficient;",
      put: "return coefficient ?? 0n;",
    },
    {
      weakens: "all points lie on one polynomial",
      find: "all.slice(threshold).every(",
      put: "all.slice(threshold + 1).every(",
    },
    {
      weakens: "points beyond the threshold count",
      find: "all.slice(threshold).every(",
      put: "all.slice(all.length).every(",
    },
  ],
};

const POLYNOMIAL: EditedFile = {
  path: `${SHARING}/polynomial.ts`,
  tests,
  edits: [
    {
      weakens: "a polynomial has as many coefficients as the threshold",
      find: "Array.from({ length: threshold }",
      put: "Array.from({ length: threshold - 1 }",
    },
  ],
};

/** Every check of sharing. */
export const SHARING_EDITS: readonly EditedFile[] = [DEALT_SHARE, FELDMAN, LAGRANGE, POLYNOMIAL];
