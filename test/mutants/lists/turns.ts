import type { EditedFile } from "../edit.ts";

const GATEWAY = "packages/gateway/src";

const turns = [`${GATEWAY}/admission/fair-turns.test.ts`];
const limits = [`${GATEWAY}/admission/limits.test.ts`];
const ways = [`${GATEWAY}/admission/shared-ways.test.ts`];
const reading = [`${GATEWAY}/reading/body-reading.test.ts`];

/** What one tenant asks for leaves turns to the others. */
export const TURN_EDITS: readonly EditedFile[] = [
  {
    path: `${GATEWAY}/admission/fair-turns.ts`,
    tests: turns,
    edits: [
      {
        weakens: "an organisation's share leaves turns to the next",
        find: "begun * (atOnce - atOnceOfOne) < (atOnce - this.#allBegun) * atOnceOfOne",
        put: "begun < atOnceOfOne && this.#allBegun < atOnce",
      },
      {
        weakens: "an organisation has a share",
        find: "begun * (atOnce - atOnceOfOne) < (atOnce - this.#allBegun) * atOnceOfOne",
        put: "begun * (atOnceOfOne - atOnceOfOne) < atOnce - this.#allBegun",
      },
      {
        weakens: "nothing is beyond what there is",
        find: "return this.#allBegun < atOnce && (",
        put: "return (",
      },
      {
        weakens: "few turns are beyond a share",
        find: "(this.#beyond.get(organisation) ?? 0) < beyondForFirst",
        put: "beyondForFirst > 0",
      },
      {
        weakens: "turns beyond a share are for what goes first",
        find: "if (isFirst && this.#mayBeginBeyond(organisation))",
        put: "if (this.#mayBeginBeyond(organisation))",
      },
      {
        weakens: "of those that wait too, turns beyond a share are for what goes first",
        find: "(head?.isFirst === true && this.#mayBeginBeyond(organisation))",
        put: "this.#mayBeginBeyond(organisation)",
      },
      {
        weakens: "an organisation's line is so long",
        find: "if (line.length >= waitingOfOne + (",
        put: "if (line.length >= waitingOfOne * 1_000 + (",
      },
      {
        weakens: "the line of what goes first is so long",
        find: "ROOM_OF_FIRST = 64;",
        put: "ROOM_OF_FIRST = 65;",
      },
      {
        weakens: "nothing waits where nothing may",
        find: "isFirst && waitingOfOne > 0 ? ROOM_OF_FIRST",
        put: "isFirst ? ROOM_OF_FIRST",
      },
      {
        weakens: "all lines together are so long",
        find: '    if (this.#allWaiting >= waiting) return { refused: "too many of all" };\n',
        put: "",
      },
      {
        weakens: "who was served goes to the end of the line",
        find: "      this.#lines.delete(organisation);\n      if (line.length > 0) this.#lines.set(",
        put: "      if (line.length > 0) this.#lines.set(",
      },
      {
        weakens: "nobody waits longer than so long",
        find: "this.#world.after(this.#limits.waitMs,",
        put: "this.#world.after(this.#limits.waitMs * 1_000,",
      },
      {
        weakens: "who waited too long leaves the line",
        find: "        this.#leave(organisation, waiter);\n        resolve(",
        put: "        resolve(",
      },
    ],
  },
  {
    path: `${GATEWAY}/admission/limits.ts`,
    tests: limits,
    edits: [
      {
        weakens: "an organisation has not all the work",
        find: "work: { atOnce: 64, atOnceOfOne: 48,",
        put: "work: { atOnce: 64, atOnceOfOne: 64,",
      },
      {
        weakens: "an organisation's line for work is a part of all",
        find: "waiting: 2_048, waitingOfOne: 512, waitMs: 5_000 },\n  contracts",
        put: "waiting: 2_048, waitingOfOne: 2_048, waitMs: 5_000 },\n  contracts",
      },
      {
        weakens: "an organisation has not all the calls of contracts",
        find: "contracts: { atOnce: 32, atOnceOfOne: 8,",
        put: "contracts: { atOnce: 32, atOnceOfOne: 32,",
      },
      {
        weakens: "an organisation's line for contracts is a part of all",
        find: "waiting: 256, waitingOfOne: 32,",
        put: "waiting: 256, waitingOfOne: 256,",
      },
      {
        weakens: "an organisation's line for the reader is a part of all",
        find: "waiting: 1_024, waitingOfOne: 64,",
        put: "waiting: 1_024, waitingOfOne: 1_024,",
      },
      {
        weakens: "an organisation has not all that waits for signers",
        find: "signing: { atOnce: 1_024, atOnceOfOne: 512,",
        put: "signing: { atOnce: 1_024, atOnceOfOne: 1_024,",
      },
      {
        weakens: "an organisation has not all connections",
        find: "connections: {\n    atOnce: 8,\n    atOnceOfOne: 5,",
        put: "connections: {\n    atOnce: 8,\n    atOnceOfOne: 8,",
      },
      {
        weakens: "an organisation has not all single statements",
        find: "statements: {\n    atOnce: 8,\n    atOnceOfOne: 5,",
        put: "statements: {\n    atOnce: 8,\n    atOnceOfOne: 8,",
      },
      {
        weakens: "the line of one key is a part of all",
        find: "keys: { atOnce: 2_048, atOnceOfOne: 1, waiting: 2_048, waitingOfOne: 512,",
        put: "keys: { atOnce: 1, atOnceOfOne: 1, waiting: 2_048, waitingOfOne: 2_048,",
      },
    ],
  },
  {
    path: `${GATEWAY}/admission/shared-database.ts`,
    tests: ways,
    edits: [
      {
        weakens: "a transaction takes its organisation's turn",
        find: "transaction: (work) => take(() => database.transaction(work)),",
        put: "transaction: (work) => database.transaction(work),",
      },
      {
        weakens: "a list takes its organisation's turn",
        find: "listed: (schema, text, values) => state(() => database.listed(schema, text, values)),",
        put: "listed: (schema, text, values) => database.listed(schema, text, values),",
      },
      {
        weakens: "rows that are read take their organisation's turn",
        find: "rows: (schema, text, values) => state(() => database.rows(schema, text, values)),",
        put: "rows: (schema, text, values) => database.rows(schema, text, values),",
      },
      {
        weakens: "a statement takes its organisation's turn",
        find: "execute: (text, values) => state(() => database.execute(text, values)),",
        put: "execute: (text, values) => database.execute(text, values),",
      },
      {
        weakens: "a commit takes its organisation's turn",
        find: "commit: (schema, text, values) => take(() => database.commit(schema, text, values)),",
        put: "commit: (schema, text, values) => database.commit(schema, text, values),",
      },
      {
        weakens: "each organisation has a share of its own of transactions",
        find: "inTurn(turns, whose.organisation, work, whose.isFirst)",
        put: 'inTurn(turns, "all", work, whose.isFirst)',
      },
      {
        weakens: "each organisation has a share of its own of statements",
        find: "statements.take(whose.organisation, whose.isFirst)",
        put: 'statements.take("all", whose.isFirst)',
      },
      {
        weakens: "a statement without a turn is not carried out",
        find: '    if ("refused" in turn) throw new Outage("database", undefined);\n',
        put: '    if ("refused" in turn) return work();\n',
      },
    ],
  },
  {
    path: `${GATEWAY}/admission/key-turn.ts`,
    tests: [`${GATEWAY}/admission/shared-database.test.ts`],
    edits: [
      {
        weakens: "requests of one key wait without a connection",
        find: "inTurn(keyTurns, keyId, () => database.transaction(work))",
        put: "(keyTurns === undefined ? inTurn(keyTurns, keyId, () => database.transaction(work)) : database.transaction(work))",
      },
    ],
  },
  {
    path: `${GATEWAY}/http/middleware/admission.ts`,
    tests: [`${GATEWAY}/http/middleware/admission.test.ts`],
    edits: [
      {
        weakens: "a gateway holds so many requests",
        find: "if (requests >= most)",
        put: "if (requests < 0)",
      },
      {
        weakens: "who waits for signers takes turns there",
        find: "if (waitsForSigners(method, path)) return signing;",
        put: "if (signing === undefined && waitsForSigners(method, path)) return signing;",
      },
      {
        weakens: "calls of contracts take turns of their own",
        find: "asksContracts(method, path) ? contracts : atWork",
        put: "asksContracts(method, path) ? atWork : atWork",
      },
      {
        weakens: "one request of a person goes first",
        find: "if (isEndUser === true || revoking.has(userId))",
        put: "if (isEndUser === true)",
      },
      {
        weakens: "an end user's requests go before nobody's",
        find: "if (isEndUser === true || revoking.has(userId))",
        put: "if (revoking.has(userId))",
      },
      {
        weakens: "an organisation takes its own turns",
        find: "inTurn(turnsOf(method, path), organisation,",
        put: "inTurn(turnsOf(method, path), NOBODY,",
      },
    ],
  },
  {
    path: `${GATEWAY}/reading/body-reading.ts`,
    tests: reading,
    edits: [
      {
        weakens: "the main thread reads short bodies alone",
        find: "SHORT_MAX = 1_536;",
        put: "SHORT_MAX = 1_537;",
      },
      ...(["signature", "networkOf", "transaction", "act"] as const).map((name) => ({
        weakens: `a long body is read elsewhere: ${name}`,
        find: `      ${name}: shared(here.${name}, elsewhere.${name}),`,
        put: `      ${name}: async (...asked) => here.${name}(...asked),`,
      })),
      {
        weakens: "long bodies are read in their organisation's turn",
        find: "inTurn(turns, orgId, read)",
        put: "(orgId === undefined ? inTurn(turns, orgId, read) : read())",
      },
    ],
  },
];
