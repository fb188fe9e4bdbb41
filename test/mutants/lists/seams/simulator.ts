import type { EditedFile } from "../../edit.ts";

const SIMULATOR = "packages/simulator/src";

const CHECK_TESTS = [`${SIMULATOR}/check/check-run.test.ts`];
const RUNNING_TESTS = [`${SIMULATOR}/check/running-checks.test.ts`];

const MODEL = "packages/postgres-model/src";
const MODEL_TESTS = [`${MODEL}/server.test.ts`];

const MODEL_EDITS: readonly EditedFile[] = [
  {
    path: `${MODEL}/storage/tuple.ts`,
    tests: MODEL_TESTS,
    edits: [
      {
        weakens: "a command of the model sees nothing of its own changes",
        find: "version.command < command",
        put: "version.command <= command",
      },
      {
        weakens: "transactions of the model see one another's changes after the commit alone",
        find: "if (this.writer === transaction)\n      for",
        put: "if (this.writer !== undefined)\n      for",
      },
      {
        weakens: "a lock of the model excludes others",
        find: "holder !== transaction && conflicts.includes(held)",
        put: "holder === transaction && conflicts.includes(held)",
      },
    ],
  },
  {
    path: `${MODEL}/connection.ts`,
    tests: MODEL_TESTS,
    edits: [
      {
        weakens: "a failed transaction of the model frees its locks at once",
        find: "if (!transaction.isOver) transaction.rollback();\n      throw error;",
        put: "throw error;",
      },
      {
        weakens: "a circle of waits is a deadlock in the model",
        find: '"40P01", "deadlock detected"',
        put: '"40001", "deadlock detected"',
      },
    ],
  },
  {
    path: `${MODEL}/compile/constraints.ts`,
    tests: MODEL_TESTS,
    edits: [
      {
        weakens: "an insert waits for another one of its key in the model",
        find: "if (isRival(tuple.committed) || tuple.pending.some(isRival)) throw new LockWait([writer]);",
        put: "",
      },
      {
        weakens: "a row that refers to another one locks its key in the model",
        find: 'lockRow(tuple, transaction, "key share");',
        put: "",
      },
    ],
  },
];

export const SIMULATOR_EDITS: readonly EditedFile[] = [
  ...MODEL_EDITS,
  {
    path: "packages/orchestrator/src/assembly/core.ts",
    tests: ["packages/orchestrator/src/assembly/assemble-orchestrator.test.ts"],
    edits: [
      {
        weakens: "an orchestrator waits for a database that does not tell the time at first (INV-5)",
        find: "if (!(error instanceof Outage)) throw error;",
        put: "if (error instanceof Error) throw error;",
      },
    ],
  },
  {
    path: `${SIMULATOR}/time/process-world.ts`,
    tests: [`${SIMULATOR}/time/process-world.test.ts`],
    edits: [
      {
        weakens: "a dead process does nothing any more",
        find: "if (this.isOver) return;\n    if (this.#pauses > 0) this.#held.push(run);",
        put: "if (this.#pauses > 0) this.#held.push(run);",
      },
      {
        weakens: "a paused process does nothing until it is resumed",
        find: "if (this.#pauses > 0) this.#held.push(run);",
        put: "if (this.#pauses > 1) this.#held.push(run);",
      },
      {
        weakens: "messages reach a process that was paused behind those that waited",
        find: "if (this.#pauses === 0 && this.#late > 0) this.plan(0, run);\n    else this.#runOrHold(run);",
        put: "this.#runOrHold(run);",
      },
      {
        weakens: "an entry taken back during a pause does not run",
        find: "        isCancelled = true;\n",
        put: "",
      },
    ],
  },
  {
    path: `${SIMULATOR}/time/scheduler.ts`,
    tests: [`${SIMULATOR}/time/scheduler.test.ts`],
    edits: [
      {
        weakens: "entries of one time run in their order within a process",
        find: "one.order - other.order;",
        put: "other.order - one.order;",
      },
      {
        weakens: "the order of processes is drawn for each time",
        find: "return mixed(mixed(number ^ atUs) ^ Math.floor(atUs / WORD));",
        put: "return number;",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-4.ts`,
    tests: CHECK_TESTS,
    edits: [
      {
        weakens: "a confirmed transfer that paid nothing is found (INV-4)",
        find: 'status === "Confirmed" ? [amount]',
        put: 'status === "Confirmed" ? [0n, amount]',
      },
      {
        weakens: "two transactions of a request that can both land are found (INV-4)",
        find: "!taken.some((one) => takes.includes(one))",
        put: "taken.length === 0",
        tests: RUNNING_TESTS,
      },
      {
        weakens: "two payments of a request on one view of the chain are found (INV-4)",
        find: "if (first === undefined || found.has(to)) return [];",
        put: "if (first === undefined || !found.has(to)) return [];",
        tests: RUNNING_TESTS,
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/lost-coins.ts`,
    tests: CHECK_TESTS,
    edits: [
      {
        weakens: "a transfer that lost its coin to another one is found",
        find: 'status === "Failed" && IS_LOST',
        put: 'status === "Broadcasted" && IS_LOST',
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/payload/bitcoin/read-psbt.ts`,
    tests: [`${SIMULATOR}/check/payload/bitcoin/read-psbt.test.ts`],
    edits: [
      {
        weakens: "a second payment of coins beside the authorised one is found (INV-3)",
        find: "if (paid !== 1) return",
        put: "if (paid < 1) return",
      },
      {
        weakens: "a fee above the network's cap is found (INV-3)",
        find: "fee < 0n || fee > feeMax",
        put: "fee < 0n",
      },
      {
        weakens: "coins of another owner are found (INV-3)",
        find: "new Set(coins.map(({ script }) => script)).size !== 1",
        put: "coins.length === 0",
      },
    ],
  },
  {
    path: `${SIMULATOR}/chain/bitcoin/simulated-bitcoin.ts`,
    tests: [`${SIMULATOR}/chain/bitcoin/simulated-bitcoin.test.ts`],
    edits: [
      {
        weakens: "coins that wallets were given outlive each fault of their chain",
        find: "made < FINALITY; made += 1",
        put: "made < 1; made += 1",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-5.ts`,
    tests: CHECK_TESTS,
    edits: [
      {
        weakens: "a transfer that waits for ever is found (INV-5)",
        find: 'status === "Confirmed" || status === "Failed"\n    ? []',
        put: 'status === "Confirmed" || status === "Failed" || status === "Executing"\n    ? []',
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-1.ts`,
    tests: RUNNING_TESTS,
    edits: [
      {
        weakens: "a process with t shares of a key is found (INV-1)",
        find: "parties.size === threshold",
        put: "parties.size === threshold + 1",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-2.ts`,
    tests: RUNNING_TESTS,
    edits: [
      {
        weakens: "a partial signature of a second digest is found (INV-2)",
        find: "if (digests.size === 1) return [];",
        put: "if (digests.size < 3) return [];",
      },
      {
        weakens: "a run that is opened again is found (INV-2)",
        find: "if (!runs.has(name)) {",
        put: "if (run !== name) {",
      },
      {
        weakens: "a presignature that signed two digests is found (INV-2)",
        find: ".filter(([, signed]) => signed.size > 1)",
        put: ".filter(([, signed]) => signed.size > 2)",
        tests: CHECK_TESTS,
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-3.ts`,
    tests: RUNNING_TESTS,
    edits: [
      {
        weakens: "a payload with another recipient is found (INV-3)",
        find: 'if (transaction.to?.toLowerCase() !== to.toLowerCase()) return "another recipient";',
        put: "",
      },
      {
        weakens: "a digest that nobody asked for is found (INV-3)",
        find: "if (differences.includes(undefined)) return [];",
        put: "if (differences.includes(undefined) || payloads.length === 0) return [];",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-7.ts`,
    tests: [`${SIMULATOR}/check/inv-7.test.ts`],
    edits: [
      {
        weakens: "a fault of a signer that does not deviate is found in the database (INV-7)",
        find: "...faults.map(",
        put: "...faults.slice(1).map(",
      },
      {
        weakens: "a quarantine of a signer that does not deviate is found (INV-7)",
        find: "...quarantines.map(",
        put: "...quarantines.slice(1).map(",
      },
      {
        weakens: "a log line and an answer that blame a signer are found (INV-7)",
        find: ".filter((name) => SAYS_BLAME.test(name))",
        put: '.filter((name) => name === "" && SAYS_BLAME.test(name))',
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-8.ts`,
    tests: RUNNING_TESTS,
    edits: [
      {
        weakens: "a signature after its authorisation lapsed is found (INV-8)",
        find: "clockMs < authorisedMs + VALID_MS ?",
        put: "clockMs <= authorisedMs + VALID_MS ?",
      },
      {
        weakens: "a request that the authority did not sign is found (INV-8)",
        find: 'return "not signed by the authority";',
        put: "return undefined;",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-6.ts`,
    tests: CHECK_TESTS,
    edits: [
      {
        weakens: "an event that is reported twice is found (INV-6)",
        find: "reported <= count + repeats",
        put: "reported <= count + 1",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-3.ts`,
    tests: RUNNING_TESTS,
    edits: [
      {
        weakens: "a signature of another payload than that of its command is found (INV-3)",
        find: "digest === undefined || !asked.transaction.digests.includes(digest)",
        put: "digest === undefined",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/running-checks.ts`,
    tests: RUNNING_TESTS,
    edits: [
      {
        weakens: "a command that the authority did not sign, and that is answered, is found (INV-8)",
        find: "[signedAsAsked, answersAuthority(authorityKey)]",
        put: "[signedAsAsked]",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-9.ts`,
    tests: [`${SIMULATOR}/check/inv-9.test.ts`],
    edits: [
      {
        weakens: "a bad request that is accepted is found (INV-9)",
        find: 'answers.includes("accepted") && !isForeign',
        put: "answers.length === 0 && !isForeign",
      },
      {
        weakens: "a bad request that gets a 5xx is found (INV-9)",
        find: "![AWAY, TOO_MANY].includes(statusOf(answer))",
        put: "![AWAY, TOO_MANY, 500].includes(statusOf(answer))",
      },
      {
        weakens: "a bad request that is never refused is found (INV-9)",
        find: "(isSettled({ answers }) ? []",
        put: "(answers.length > 0 ? []",
      },
      {
        weakens: "a row that no accepted request made is found (INV-9)",
        find: ".filter(({ id }) => !known.has(id))",
        put: ".filter(({ id }) => known.size === 0 && !known.has(id))",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-10.ts`,
    tests: [`${SIMULATOR}/check/inv-10.test.ts`],
    edits: [
      {
        weakens: "a secret is found wherever it begins in a text (INV-10)",
        find: "at < GRAM; at += 1",
        put: "at < GRAM - 1; at += 1",
      },
      {
        weakens: "a secret among other bytes is found in Base64 (INV-10)",
        find: "const standard = [0, 1, 2].map(",
        put: "const standard = [0].map(",
      },
      {
        weakens: "a secret is found as a decimal number (INV-10)",
        find: "BigInt(`0x${hex}`).toString()]",
        put: "BigInt(`0x${hex}`).toString(8)]",
      },
      {
        weakens: "a secret that is too short to be found is refused (INV-10)",
        find: "if (form.text.length < SHORTEST_FORM) throw",
        put: "if (form.text.length === 0) throw",
      },
    ],
  },
  {
    path: `${SIMULATOR}/watch/said-texts.ts`,
    tests: [`${SIMULATOR}/watch/said-texts.test.ts`],
    edits: [
      {
        weakens: "lists of values are looked through for secrets (INV-10)",
        find: "if (Array.isArray(value)) for",
        put: "if (Array.isArray(value) && value.length > 3) for",
      },
      {
        weakens: "bytes are looked through for secrets (INV-10)",
        find: "value instanceof Uint8Array ? latin1Of(value) : value",
        put: "value",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/inv-11.ts`,
    tests: [`${SIMULATOR}/check/inv-11.test.ts`],
    edits: [
      {
        weakens: "an id of another organisation in an answer is found (INV-11)",
        find: "text.includes(id) && !asked.includes(id)",
        put: "text === id && !asked.includes(id)",
      },
      {
        weakens: "an id that a client named itself is no finding (INV-11)",
        find: " && !asked.includes(id)",
        put: "",
      },
      {
        weakens: "an organisation that got a thing of another is found (INV-11)",
        find: 'answer === "accepted" ||',
        put: 'answer !== "accepted" &&',
      },
      {
        weakens: "a refusal that says that there is such a thing is found (INV-11)",
        find: "const UNTELLING: readonly number[] = [NOT_FOUND,",
        put: "const UNTELLING: readonly number[] = [NOT_FOUND, 403, 409, 400,",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/check-requests.ts`,
    tests: [`${SIMULATOR}/check/check-requests.test.ts`],
    edits: [
      {
        weakens: "a request that is never answered is found (INV-5)",
        find: "return ids.size > 0\n    ? []",
        put: "return ids.size >= 0\n    ? []",
      },
      {
        weakens: "a request that is refused is found (INV-5)",
        find: "if (refusal !== undefined)\n",
        put: "if (refusal !== undefined && ids.size === 0)\n",
      },
      {
        weakens: "a request that became two transfers is found (INV-4)",
        find: "ids.size < 2",
        put: "ids.size < 3",
      },
      {
        weakens: "a transfer that answers two requests is found (INV-4)",
        find: "owners.set(id, externalId);",
        put: "",
      },
    ],
  },
  {
    path: `${SIMULATOR}/check/check-deliveries.ts`,
    tests: [`${SIMULATOR}/check/check-deliveries.test.ts`],
    edits: [
      {
        weakens: "an event that no webhook accepted is found (INV-6)",
        find: "heard.filter(({ attempt }) => attempt.isAccepted)",
        put: "heard",
      },
      {
        weakens: "an event that a webhook was never told of is found (INV-6)",
        find: "(tried.has(name) && due.has(name))",
        put: "due.has(name)",
      },
      {
        weakens: "a delivery that says what did not happen is found (INV-6)",
        find: "JSON.stringify([kind, date, inOrder(data)])",
        put: "JSON.stringify([kind, date, inOrder(typeof data)])",
      },
      {
        weakens: "a delivery that another secret signed is found (INV-6)",
        find: "signature === deliverySignature(secret, body)",
        put: "signature.length === deliverySignature(secret, body).length",
      },
    ],
  },
  {
    path: `${SIMULATOR}/client/client-process.ts`,
    tests: [`${SIMULATOR}/client/client-process.test.ts`],
    edits: [
      {
        weakens: "a client asks another gateway where one does not answer",
        find: "(number + attempt) % this.#gateways.length",
        put: "number % this.#gateways.length",
      },
      {
        weakens: "all attempts of a client's request have one externalId (INV-4)",
        find: "createTransfer(dependencies, this.#caller, wallet.id, body)",
        put: "createTransfer(dependencies, this.#caller, wallet.id, { ...body, externalId: `${externalId}-${record.attempts}` })",
      },
    ],
  },
  {
    path: `${MODEL}/compile/functions.ts`,
    tests: MODEL_TESTS,
    edits: [
      {
        weakens: "an advisory lock of the model is waited for",
        find: "if (holders.length > 0) throw new LockWait(holders);",
        put: "",
      },
    ],
  },
];
