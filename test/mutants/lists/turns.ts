import type { EditedFile } from "../edit.ts";

const CUSTODY = "packages/custody/src";
const CHAINS = "packages/chains/src";
const GATEWAY = "packages/gateway/src";
const ORCHESTRATOR = "packages/orchestrator/src";
const PLATFORM = "packages/platform/src";

const turns = [`${PLATFORM}/fair-turns.test.ts`];

/** Whitelists that callers choose take a moment of the main thread, and pass whom they passed before. */
const WHITELIST_EDITS: readonly EditedFile[] = [
  {
    path: `${CUSTODY}/policies/whitelist.ts`,
    tests: [`${CHAINS}/rules/whitelist.test.ts`],
    edits: [
      {
        weakens: "an entry is spelled before it counts as the recipient",
        find: "isListed = known.get(entry) === spelled;",
        put: "isListed = true;",
      },
      { weakens: "an entry is spelled once", find: "if (!known.has(entry)) {", put: "{" },
      {
        weakens: "a list is read once",
        find: "const known = read.get(spell);",
        put: "const known: KeyedList | undefined = undefined;",
      },
      {
        weakens: "two that read a list at once spell it once",
        find: "const list = read.get(spell) ?? {",
        put: "const list = {",
      },
      { weakens: "so many keys are a step", find: "=== 0) yield 1;", put: "=== 0) yield 0;" },
      { weakens: "each spelling is a step", find: "        yield 1;\n", put: "" },
      {
        weakens: "a recipient is spelled once",
        find: "  RECIPIENTS.set(activity, recipients);\n",
        put: "",
      },
      { weakens: "the first stranger is told", find: "if (!recipients.has(spelled)) ", put: "" },
    ],
  },
  {
    path: `${CHAINS}/xrpl/rules/x-address.ts`,
    tests: [`${CHAINS}/rules/whitelist.test.ts`],
    edits: [
      { weakens: "an account has two keys of a form", find: "[0, LARGEST_BYTE].map", put: "[0].map" },
      {
        weakens: "a text that names nobody is found as it is",
        find: "new Set([XRPL_ADDRESS_KEYS.ofEntry(spelled), ...inside])",
        put: "new Set([spelled, ...inside])",
      },
      { weakens: "a key is what the account decides", find: "KEY_LENGTH = 28;", put: "KEY_LENGTH = 32;" },
    ],
  },
  {
    path: `${CHAINS}/bitcoin/rules/address.ts`,
    tests: [`${CHAINS}/rules/whitelist.test.ts`],
    edits: [
      { weakens: "upper case is another spelling", find: "/^(?:BC|TB)1[^a-z]*$/", put: "/^(?:BC)1[^a-z]*$/" },
      {
        weakens: "mixed case is no spelling",
        find: "  if (!UPPER_SEGWIT.test(text)) return text;\n",
        put: "  const lower = read(text.toLowerCase());\n  if (lower.kind === 'read') return lower.address;\n",
      },
      {
        weakens: "a text that is no address is found as it is",
        find: "[...new Set([spelled, BITCOIN_ADDRESS_KEYS.ofEntry(spelled)])]",
        put: "[spelled]",
      },
    ],
  },
  {
    path: `${GATEWAY}/policy/evaluate.ts`,
    tests: [`${GATEWAY}/policy/evaluate.test.ts`],
    edits: [
      { weakens: "a long whitelist is spelled in pieces", find: "    await sleep(0);\n", put: "" },
      { weakens: "pieces are short", find: "SPELLED_AT_ONCE = 64;", put: "SPELLED_AT_ONCE = 640;" },
    ],
  },
];

/** A caller's contract, asked about by a transfer. */
const CONTRACT_EDITS: readonly EditedFile[] = [
  {
    path: `${GATEWAY}/chain-request/create-transfer.ts`,
    tests: [`${GATEWAY}/chain-request/contract-turns.test.ts`],
    edits: [
      {
        weakens: "a recipient is judged in its turn",
        find: "await inContractTurn(dependencies, orgId, () => judge(transfer))",
        put: "await judge(transfer)",
      },
      {
        weakens: "a token is asked in its turn",
        find: "await inContractTurn(dependencies, orgId, () => chain.describeToken(contract))",
        put: "await chain.describeToken(contract)",
      },
    ],
  },
  {
    path: `${GATEWAY}/admission/contract-turn.ts`,
    tests: [`${GATEWAY}/chain-request/contract-turns.test.ts`],
    edits: [
      { weakens: "a turn ends", find: "    turn.end();\n", put: "" },
      { weakens: "without a turn nobody is asked", find: "return undefined;", put: "return ask();" },
    ],
  },
];

const following = (name: string): string => `${ORCHESTRATOR}/following/${name}`;

/** Looks at what was broadcast, which one organisation's tokens may make slow. */
const LOOK_EDITS: readonly EditedFile[] = [
  {
    path: following("turns.ts"),
    tests: [following("due.test.ts")],
    edits: [
      {
        weakens: "a round's list goes round the organisations",
        find: "one.turn - other.turn || servedOf(one.orgId) - servedOf(other.orgId)",
        put: "servedOf(one.orgId) - servedOf(other.orgId)",
      },
      {
        weakens: "the organisation that was served longest ago comes first",
        find: "one.turn - other.turn || servedOf(one.orgId) - servedOf(other.orgId)",
        put: "one.turn - other.turn",
      },
      {
        weakens: "so many of one organisation are in hand",
        find: "    if (isInHand) raise(orgId);\n",
        put: "",
      },
      { weakens: "a request is in one look at a time", find: "!inHand.has(id) && ", put: "" },
      {
        weakens: "pauses grow while looks change nothing",
        find: "SEEN_AGAIN_MS * 2 ** (looksInARow - 1)",
        put: "SEEN_AGAIN_MS",
      },
      {
        weakens: "pauses have a bound",
        find: "SEEN_AGAIN_MS_MOST = 30_000",
        put: "SEEN_AGAIN_MS_MOST = 60_000",
      },
      {
        weakens: "pauses begin anew when blocks tell something else",
        find: "last?.cause === cause ? last.inARow : 0",
        put: "last?.inARow ?? 0",
      },
    ],
  },
  {
    path: following("looking.ts"),
    tests: [following("looking.test.ts")],
    edits: [
      { weakens: "looks of one organisation leave places", find: "atOnceOfOne: 4", put: "atOnceOfOne: 15" },
      {
        weakens: "news goes first",
        find: "turns.take(due.orgId, due.isFirst)",
        put: "turns.take(due.orgId)",
      },
      { weakens: "a stop begins no look that waits, or comes later", find: "if (!isStopping) {", put: "{" },
      {
        weakens: "a stop waits for the looks under way",
        find: "      return looked();\n",
        put: "      return Promise.resolve();\n",
      },
      { weakens: "a look's place is free once it has ended", find: "    turn.end();\n", put: "" },
    ],
  },
];

/** One tenant's requests leave turns to the others. */
export const TURN_EDITS: readonly EditedFile[] = [
  ...WHITELIST_EDITS,
  ...CONTRACT_EDITS,
  ...LOOK_EDITS,
  {
    path: `${PLATFORM}/fair-turns.ts`,
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
        weakens: "few turns are beyond a share",
        find: "(this.#beyond.get(organisation) ?? 0) < beyondForFirst",
        put: "beyondForFirst > 0",
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
    ],
  },
];
