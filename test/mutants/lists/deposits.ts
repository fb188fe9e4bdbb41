import type { EditedFile } from "../edit.ts";

const CHAINS = "packages/chains/src";

/** No block that a node forgot, or that is too large, stops the reading of deposits; and no passing fault makes it skip one. */
export const DEPOSIT_EDITS: readonly EditedFile[] = [
  {
    path: `${CHAINS}/second-node.ts`,
    tests: [`${CHAINS}/second-node.test.ts`],
    edits: [
      {
        weakens: "a second node of another chain tells nothing of a block",
        find: "return other.ok ? ok(other.value === known) : other;",
        put: "return other.ok ? ok(true) : other;",
      },
      {
        weakens: "while the second node does not answer, no block is forgotten",
        find: 'if (!also.ok) return also.problem.code === "BlockTooLarge" ? reported : also;',
        put: "if (!also.ok) return reported;",
      },
    ],
  },
  {
    path: `${CHAINS}/answers/hurdle.ts`,
    tests: [`${CHAINS}/answers/hurdle.test.ts`],
    edits: [
      {
        weakens: "a smaller piece is asked for where the whole meets a hurdle, and nowhere else",
        find: "if (hurdleIn(reported) === undefined) return reported;",
        put: "if (reported.ok) return reported;",
      },
      {
        weakens: "a block that is too slow is never too large",
        find: 'hurdleIn(reported) === "too large"',
        put: "hurdleIn(reported) !== undefined",
      },
      {
        weakens: "a call that is not answered in time may be told in pieces",
        find: 'hurdle: isTimeout(error) ? "too slow" : undefined',
        put: "hurdle: undefined",
      },
    ],
  },
  {
    path: `${CHAINS}/answers/block-pieces.ts`,
    tests: [`${CHAINS}/answers/block-pieces.test.ts`],
    edits: [
      {
        weakens: "a piece that came is asked for no more",
        find: "return found.ok ? ok(this.keep(block, id, found.value)) : found;",
        put: "return found;",
      },
      {
        weakens: "the pieces of a block are asked for first once one of them came",
        find: "pieces.hasSome(block) ? await inPieces() : undefined",
        put: "await undefined",
      },
      {
        weakens: "the pieces of a block are kept where an answer does not hold it",
        find: "if (found.ok && holdsBlock(found.value)) pieces.forget(block);",
        put: "if (found.ok) pieces.forget(block);",
      },
    ],
  },
  {
    path: `${CHAINS}/bitcoin/node/rpc.ts`,
    tests: [`${CHAINS}/bitcoin/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "of a code that says little the words count: a block that is still to come is not forgotten",
        find: "each.code === code && each.words === words",
        put: "each.code === code",
      },
      {
        weakens: "and so does the code of the words",
        find: "each.code === code && each.words === words",
        put: "each.words === words",
      },
    ],
  },
  {
    path: `${CHAINS}/stellar/node/rest.ts`,
    tests: [`${CHAINS}/stellar/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "a ledger is forgotten where Horizon says so, not by a status alone",
        find: "status === BEFORE_HISTORY && beforeHistorySchema.safeParse(body).success",
        put: "status === BEFORE_HISTORY",
      },
    ],
  },
  {
    path: `${CHAINS}/stellar/node/pages.ts`,
    tests: [`${CHAINS}/stellar/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "a smaller page is full where it has as many records as it was asked for",
        find: "records.length < Math.min(asked, given)",
        put: "records.length < PAGE",
      },
      {
        weakens: "a page is not the last one where the node gives no more records a page",
        find: "records.length < Math.min(asked, given)",
        put: "records.length < asked",
      },
      {
        weakens: "a node that does not say how many records a page holds is asked for the next one",
        find: "(given !== undefined && records.length < Math.min(asked, given))",
        put: "records.length < asked",
      },
      {
        weakens: "nothing is asked for behind the last page",
        find: "if (last === undefined || isLast(page.value)) {",
        put: "if (last === undefined) {",
      },
      {
        weakens: "a page stands behind the one before",
        find: "records[at - 1] ?? before;",
        put: "records[at - 1];",
      },
      {
        weakens: "the records of a page stand behind one another",
        find: "records[at - 1] ?? before;",
        put: "before;",
      },
      {
        weakens: "a page that is another one than was asked for is asked for again",
        find: "if (!isBehind(page.value, all.at(-1))) {\n      pages.forget(ledger);",
        put: "if (!isBehind(page.value, all.at(-1))) {",
      },
    ],
  },
  {
    path: `${CHAINS}/stellar/node/rest.ts`,
    tests: [`${CHAINS}/stellar/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "a list of a ledger is read of no Horizon that is behind it",
        find: "if (ledger < asOf)",
        put: "if (ledger < 0n)",
      },
    ],
  },
  {
    path: `${CHAINS}/stellar/node/arrivals.ts`,
    tests: [`${CHAINS}/stellar/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "an empty list of payments is doubted where the ledger has operations",
        find: "isDoubted ? await showsOperations(rest, ledger.sequence) : ok(true)",
        put: "ok(isDoubted || true)",
      },
      {
        weakens: "a list of payments is doubted where it is empty alone",
        find: "operations.value.length === 0 && (ledger.operations ?? 0) > 0",
        put: "(ledger.operations ?? 0) > 0",
      },
      {
        weakens:
          "an empty list of payments is believed where the ledger has no operations, or does not say so",
        find: "operations.value.length === 0 && (ledger.operations ?? 0) > 0",
        put: "operations.value.length === 0",
      },
      {
        weakens: "an empty list of payments is true where its node shows an operation of the ledger",
        find: "page.ok ? ok(page.value._embedded.records.length > 0) : page",
        put: "page.ok ? ok(false) : page",
      },
      {
        weakens: "a node that shows no operation of a ledger that has some tells no payments of it",
        find: "page.ok ? ok(page.value._embedded.records.length > 0) : page",
        put: "page.ok ? ok(true) : page",
      },
    ],
  },
  {
    path: `${CHAINS}/tron/node/arrivals.ts`,
    tests: [`${CHAINS}/tron/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "a block without any of its logs is forgotten, not one that brought nothing",
        find: "if (moved.value.size === 0) return ok(undefined);",
        put: "if (moved.value.size === 0) return ok([]);",
      },
    ],
  },
  {
    path: `${CHAINS}/tron/node/http.ts`,
    tests: [`${CHAINS}/tron/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "a lite full node says why it tells nothing",
        find: 'if (text.trim() === CLOSED) return { kind: "away", cause: CLOSED_CAUSE };',
        put: "",
      },
    ],
  },
  {
    path: `${CHAINS}/xrpl/node/arrivals.ts`,
    tests: [`${CHAINS}/xrpl/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "the pieces of a ledger are kept until a validated one was read",
        find: "(ledger) => ledger?.validated === true",
        put: "() => true",
      },
      {
        weakens: "a ledger that is told with gaps is not read",
        find: "isWholeLedger(ledger) && areAllOf(",
        put: "areAllOf(",
      },
      { weakens: "a piece is of its ledger", find: " && BigInt(value.ledger_index) === height", put: "" },
      {
        weakens: "a piece is the one that was asked for",
        find: "value?.hash === id &&",
        put: "value !== undefined &&",
      },
    ],
  },
  {
    path: `${CHAINS}/evm/node/contents/arrivals.ts`,
    tests: [`${CHAINS}/evm/node/contents/arrivals.test.ts`],
    edits: [
      {
        weakens: "the pieces of a block in which nothing moved are forgotten",
        find: "  const isOurs = await concerning(",
        put: "  if (payments.length + tokens.length === 0) return [];\n  const isOurs = await concerning(",
        tests: [`${CHAINS}/evm/node/contents/block-contents.test.ts`],
      },
      {
        weakens: "a log of the chain's own is no token's",
        find: "if (OF_THE_CHAIN.has(address.toLowerCase())) return undefined;",
        put: "",
      },
      {
        weakens: "a log of zkSync Era's own coin is no token's",
        find: '"0x000000000000000000000000000000000000800a",',
        put: "",
      },
      {
        weakens: "a chain's own address is known however it is spelled",
        find: "OF_THE_CHAIN.has(address.toLowerCase())",
        put: "OF_THE_CHAIN.has(address)",
        tests: [`${CHAINS}/evm/node/contents/block-contents.test.ts`],
      },
      {
        weakens: "what makes a contract pays nobody",
        find: "if (!to || amount === 0n) return [];",
        put: "if (amount === 0n) return [];",
        tests: [`${CHAINS}/evm/node/contents/block-contents.test.ts`],
      },
      {
        weakens: "what makes a contract pays nobody, also where a node leaves its receiver out",
        find: "if (!to || amount === 0n) return [];",
        put: "if (to === null || amount === 0n) return [];",
        tests: [`${CHAINS}/evm/node/contents/block-contents.test.ts`],
      },
      {
        weakens: "a receipt that says how a payment ended is of the payment's block",
        find: "receipt?.blockHash !== block",
        put: "receipt === null",
        tests: [`${CHAINS}/evm/node/contents/block-contents.test.ts`],
      },
      {
        weakens: "a receipt without a status says nothing",
        find: 'if (!status.success) throw new TypeError("it does not tell how a transaction ended");',
        put: "if (!status.success) return false;",
        tests: [`${CHAINS}/evm/node/contents/block-contents.test.ts`],
      },
      {
        weakens: "a log that is told twice is one log",
        find: "return [...distinct.values()].toSorted(",
        put: "return logs.toSorted(",
        tests: [`${CHAINS}/evm/node/contents/block-contents.test.ts`],
      },
      {
        weakens: "logs stand in the order of their block",
        find: ".toSorted((one, other) => Number(one.logIndex) - Number(other.logIndex) || 0)",
        put: "",
        tests: [`${CHAINS}/evm/node/contents/block-contents.test.ts`],
      },
    ],
  },
  {
    path: `${CHAINS}/evm/node/contents/block-contents.ts`,
    tests: [`${CHAINS}/evm/node/contents/block-contents.test.ts`],
    edits: [
      {
        weakens: "a block whose header may hold a transfer is not read without logs",
        find: "logs: isDoubted ? await receiptsLogs(rpc, pieces, event, block) : logs,",
        put: "logs: isDoubted ? [] : logs,",
      },
      {
        weakens: "no logs are doubted where the block's header may hold a transfer",
        find: " || (logs.length === 0 && mayHoldTopic(block.logsBloom, event))",
        put: "",
      },
      {
        weakens: "no logs are doubted by the block's header alone",
        find: "logs.length > 0 && logs.length %",
        put: "logs.length %",
      },
      {
        weakens: "as many logs as a limit are doubted",
        find: "mayBeCut(logs) || (logs.length",
        put: "(logs.length",
      },
      {
        weakens: "each multiple of a limit of logs is doubted",
        find: "logs.length % LIMITS_OF_LOGS === 0",
        put: "logs.length === LIMITS_OF_LOGS",
      },
      {
        weakens: "a block that its node has stripped is forgotten",
        find: "if (isStripped(block)) return undefined;",
        put: "",
      },
      {
        weakens: "a block that used no gas is no stripped one",
        find: "(quantity.safeParse(gasUsed).data ?? 0n) > 0n",
        put: "true",
      },
      {
        weakens: "logs that come with a block are of its hash",
        find: "if (found.logs?.some(({ blockHash }) => blockHash !== hash) === true) {",
        put: "if (hash.length === 0) {",
      },
      {
        weakens: "logs that are asked for by a block's hash are of it",
        find: "return logs.map((log) => ofBlock(hash, log));",
        put: "return logs;",
      },
      {
        weakens: "the receipts of a block are of it",
        find: "for (const receipt of receipts) ofBlock(hash, receipt);",
        put: "",
      },
      {
        weakens: "a receipt out of which logs are read is of the block",
        find: "return logsIn([ofBlock(hash, receipt)], event);",
        put: "return logsIn(receipt === null ? [] : [receipt], event);",
      },
      {
        weakens: "a transaction that is asked for by itself is of the block",
        find: "const { from, to, value } = ofBlock(hash, found);",
        put: "const { from, to, value } = found;",
      },
      {
        weakens: "the receipts of a block are as many as its transactions",
        find: "receipts === null || receipts.length !== transactions.length",
        put: "receipts === null",
      },
    ],
  },
  {
    path: `${CHAINS}/evm/node/rpc.ts`,
    tests: [`${CHAINS}/evm/node/contents/block-contents.test.ts`],
    edits: [
      {
        weakens: "each call ends after a time",
        find: "{ ...init, signal: wire.timeout(timeoutMs) }",
        put: "{ ...init }",
        tests: [`${CHAINS}/evm/node/rpc.test.ts`],
      },
      {
        weakens: "the smallest piece of a block has more time than the usual answer",
        find: "timeoutMs: 60_000",
        put: "timeoutMs: 5_000",
        tests: [`${CHAINS}/evm/node/rpc.test.ts`],
      },
      {
        weakens: "the smallest piece of a block may be longer than the usual answer",
        find: "bytesMax: 64 * 1024 * 1024",
        put: "bytesMax: 16 * 1024 * 1024",
      },
      {
        weakens: "an answer that is longer than is read is too large",
        find: "cause instanceof ResponseBodyTooLargeError ||",
        put: "",
      },
      {
        weakens: "an answer that is not there in time is too slow",
        find: " || isTimeout(cause);",
        put: ";",
      },
    ],
  },
  {
    path: `${CHAINS}/evm/node/contents/called-final.ts`,
    tests: [`${CHAINS}/evm/node/contents/called-final.test.ts`],
    edits: [
      {
        weakens: "a block is read of a node that calls it final itself",
        find: "if (!final.value) throw notFinal(height);",
        put: "",
        tests: ["packages/orchestrator/src/deposits/lagging-node.test.ts"],
      },
      {
        weakens: "a node that answers no batches calls a block final before it is read",
        find: "if (((await ask()) ?? (await ask())) !== true) throw notFinal(height);",
        put: "await ask();",
      },
      {
        weakens: "a node that is to tell its finalized block, and refuses, has not forgotten a block",
        find: "if (refusal === undefined) throw error;",
        put: "if (refusal === undefined || height > 0n) throw error;",
      },
      {
        weakens: "a block that is final is the node's final one at the highest",
        find: "final >= height",
        put: "final >= height - 1n",
      },
    ],
  },
  {
    path: `${CHAINS}/bitcoin/node/blocks.ts`,
    tests: [`${CHAINS}/bitcoin/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "a Bitcoin block is read once it has the network's confirmations",
        find: "confirmations >= BigInt(finality)",
        put: "confirmations >= 1n",
      },
      {
        weakens: "an orphan of Bitcoin is not read",
        find: "confirmations >= BigInt(finality)",
        put: "confirmations >= -1n",
      },
      {
        weakens: "a Bitcoin block whose header is not known has no confirmations",
        find: "const { confirmations = 0n }",
        put: "const { confirmations = BigInt(finality) }",
      },
    ],
  },
  {
    path: `${CHAINS}/evm/node/final-block.ts`,
    tests: [`${CHAINS}/evm/node/refusing-node.test.ts`],
    edits: [
      {
        weakens: "a node whose network asks for depth calls a block final that is as deep",
        find: "numberIn(head) - BigInt(network.confirmations) + 1n",
        put: "numberIn(head)",
        tests: [`${CHAINS}/evm/node/contents/called-final.test.ts`],
      },
      {
        weakens: "a network that asks for depth is not asked for a finalized block",
        find: 'finality === "depth" ||',
        put: "",
        tests: [`${CHAINS}/evm/node/contents/called-final.test.ts`],
      },
      {
        weakens: "a node that began to tell finalized blocks is not asked by depth",
        find: "lackFinalized.has(rpc) && !serveFinalized.has(rpc)",
        put: "lackFinalized.has(rpc)",
        tests: [`${CHAINS}/evm/node/contents/called-final.test.ts`],
      },
      {
        weakens: "a node that has told a finalized block, and tells none, has it still",
        find: "  if (serveFinalized.has(rpc))\n    throw",
        put: "  if (rpc === undefined)\n    throw",
      },
      {
        weakens: "one of several nodes that has just started does not make blocks final by their depth",
        find: "const SAYS_NONE = 12;",
        put: "const SAYS_NONE = 1;",
        tests: [`${CHAINS}/evm/node/final-block.test.ts`],
      },
    ],
  },
  {
    path: `${CHAINS}/tron/node/arrivals.ts`,
    tests: [`${CHAINS}/tron/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "the logs of calls are kept where a node has those of none, or of some",
        find: "(found) => calls.every(({ txID }) => found.has(txID))",
        put: "() => true",
      },
    ],
  },
  {
    path: `${CHAINS}/tron/node/payments.ts`,
    tests: [`${CHAINS}/tron/node/arrivals.test.ts`],
    edits: [
      { weakens: "a constructor's logs are read", find: ', "CreateSmartContract"]', put: "]" },
      {
        weakens: "a block with a payment that cannot be read is read again",
        find: "if (!payments.success) return undefined;",
        put: "if (!payments.success) return { txID, isRunning, paid: [] };",
      },
      {
        weakens: "of a payment that failed nothing must be read",
        find: "if (hasFailed) return { txID, isRunning, paid: [] };",
        put: "",
      },
    ],
  },
  {
    path: `${CHAINS}/xrpl/node/arrivals.ts`,
    tests: [`${CHAINS}/xrpl/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "what failed brings nothing",
        find: "if (meta.TransactionResult !== SUCCESS) return [];",
        put: "",
      },
      {
        weakens: "a ledger of which a transaction is not told is read again",
        find: "return transactions.every((_, place) => places.has(place));",
        put: "return places.size > 0;",
      },
      {
        weakens: "a ledger of which none is told, and which has some, is read again",
        find: "return transaction_hash === NO_TRANSACTIONS;",
        put: "return true;",
      },
      {
        weakens: "a ledger whose list of transactions ends early is read again",
        find: "return reported.size === hashes.length && hashes.every((hash) => reported.has(hash));",
        put: "return hashes.length >= 0;",
      },
      {
        weakens: "a ledger of which other transactions are told than it lists is read again",
        find: "return reported.size === hashes.length && hashes.every((hash) => reported.has(hash));",
        put: "return reported.size === hashes.length;",
      },
    ],
  },
  {
    path: `${CHAINS}/solana/node/arrivals.ts`,
    tests: [`${CHAINS}/solana/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "the pieces of a slot are kept where a node has none of it",
        find: '({ kind }) => kind === "block"',
        put: "() => true",
      },
      { weakens: "a piece is of its slot", find: "value?.slot === slot &&", put: "value !== undefined &&" },
      {
        weakens: "a piece is the one that was asked for",
        find: "value?.slot === slot && value.transaction.signatures[0] === id",
        put: "value?.slot === slot",
      },
      {
        weakens: "a slot of which a balance is not told is read again",
        find: "if (!transactions.every(hasEachBalance)) {",
        put: "if (transactions.length < 0) {",
      },
      {
        weakens: "an arrival's own texts are spelled as the chain spells them",
        find: "isSpelled(arrival) ? {",
        put: "arrival.txHash !== undefined ? {",
      },
    ],
  },
  {
    path: `${CHAINS}/algorand/node/rest.ts`,
    tests: [`${CHAINS}/algorand/node/arrivals.test.ts`],
    edits: [
      {
        weakens: "an application's keys may be any",
        find: "{ intMode: IntMode.BIGINT, useMap: true }",
        put: "{ intMode: IntMode.BIGINT }",
      },
      {
        weakens: "a round is absent where the node says so in its own form",
        find: "status === 404 && ownWords(text) !== undefined",
        put: "status === 404",
      },
    ],
  },
];
