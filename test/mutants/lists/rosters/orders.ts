import type { EditedFile } from "../../edit.ts";

const ORDERS = "packages/testbed/src/orders";
const ROSTER = "packages/cli/src/commands/roster";

/** Which orders a running cluster obeys, and by which evidence a signer is put out. */
export const ORDER_EDITS: readonly EditedFile[] = [
  {
    path: `${ORDERS}/serve-orders.ts`,
    tests: [`${ORDERS}/orders.test.ts`],
    edits: [
      {
        weakens: "one order is carried out at a time",
        find: "} else if (this.#current !== undefined) {",
        put: "} else if (this.#carryOut === undefined) {",
      },
      {
        weakens: "orders are posted to their path",
        find: 'request.method !== "POST" || request.url !== "/orders"',
        put: 'request.method !== "POST"',
      },
      {
        weakens: "an order has few bytes",
        find: "if (length > ORDER_BYTES_MAX) return undefined;",
        put: "if (length < 0) return undefined;",
      },
      {
        weakens: "the socket is its owner's alone",
        find: "  chmodSync(path, OWNER_ONLY);\n",
        put: "",
      },
      {
        weakens: "the folder of the socket is its owner's alone",
        find: "  chmodSync(run, OWNERS_FOLDER);\n",
        put: "",
      },
      {
        weakens: "a socket takes the place of sockets alone",
        find: "left !== undefined && !left.isSocket()",
        put: "left?.isDirectory() === true",
      },
      {
        weakens: "an order ends before the socket closes",
        find: "      await taker.current;\n",
        put: "",
      },
    ],
  },
  {
    path: `${ORDERS}/order.ts`,
    tests: [`${ORDERS}/orders.test.ts`],
    edits: [
      {
        weakens: "an order names a process, not a path",
        find: "/^[a-z][A-Za-z0-9-]{0,63}$/",
        put: "/^.{0,64}$/",
      },
      {
        weakens: "a socket's path is bounded",
        find: "if (length <= PATH_BYTES_MAX) return path;",
        put: "if (length > 0) return path;",
      },
    ],
  },
  {
    path: `${ROSTER}/convicted.ts`,
    tests: [`${ROSTER}/convicted.test.ts`],
    edits: [
      {
        weakens: "evidence that puts a signer out is proven (INV-7)",
        find: 'if (verdict.kind !== "proven") throw',
        put: 'if (verdict.kind !== "proven" && verdict.why === "") throw',
      },
      {
        weakens: "evidence puts out the signer that it convicts (INV-7)",
        find: "if (accused !== id) throw",
        put: 'if (accused === "") throw',
      },
      {
        weakens: "evidence against an identity of before puts nobody out (INV-7)",
        find: "if (accusedSince === undefined) return;",
        put: "if (accusedSince !== null) return;",
      },
      {
        weakens: "a signer is put out once",
        find: "if (putOut !== undefined)",
        put: "if (putOut !== undefined && putOut.date === id)",
      },
      {
        weakens: "evidence that puts a signer out is of its cluster",
        find: "if (read.clusterId !== roster.clusterId) {",
        put: 'if (read.clusterId === "") {',
      },
      {
        weakens: "evidence that puts nobody out is refused with a code",
        find: "new LaunchError(printable(why), printable(remedy), code)",
        put: "new LaunchError(printable(why), printable(remedy))",
      },
    ],
  },
  {
    path: "packages/cli/src/commands/verify-evidence.ts",
    tests: ["packages/cli/src/commands/verify-evidence.test.ts"],
    edits: [
      {
        weakens: "evidence of another cluster is refused as that",
        find: "if (known.clusterId !== read.clusterId) {",
        put: 'if (read.clusterId === "") {',
      },
      {
        weakens: "words of a stranger in a file that is refused move no cursor",
        find: "text: `conclave: ${printable(why)} (${code})",
        put: "text: `conclave: ${why} (${code})",
      },
      {
        weakens: "a roster that is refused says its first defect alone",
        find: "firstDefect(cause.message)",
        put: "cause.message",
      },
    ],
  },
  {
    path: "packages/cli/src/launch-error-of.ts",
    tests: ["packages/cli/src/launch-error-of.test.ts"],
    edits: [
      {
        weakens: "a roster that is none is refused with its code",
        find: 'known instanceof ConfigurationError && known.code === "RosterInvalid"',
        put: 'known instanceof ConfigurationError && known.message === "RosterInvalid"',
      },
      {
        weakens: "a roster that is none is refused in one sentence of plain text",
        find: "printable(firstDefect(known.message))",
        put: "known.message",
      },
    ],
  },
  {
    path: "packages/cli/src/evidence/verdict-over-time.ts",
    tests: ["packages/cli/src/commands/verify-evidence.test.ts"],
    edits: [
      {
        weakens: "evidence is older than a removal that names it alone (INV-7)",
        find: 'accused.evidence === createHash("sha256").update(bytes).digest("hex")',
        put: "accused.evidence !== undefined",
      },
      {
        weakens: "evidence is not older than a removal that names none (INV-7)",
        find: "isForIt ? { putOut: accused } : { accusedSince: accused }",
        put: "{ putOut: accused, isForIt }",
      },
    ],
  },
];
