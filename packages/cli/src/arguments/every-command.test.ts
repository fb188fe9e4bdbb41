import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stateLayout } from "@conclave/testbed/launch";
import type { Argument, Command, Option } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clusterFolder } from "../cluster-folder.ts";
import { failureOf } from "../failure/failure-of.ts";
import { makeProgram } from "../program.ts";

const NEVER_STARTED = "never-started";
/** Values that a command takes, by the names of its arguments and options. */
const FITTING: Readonly<Record<string, string>> = {
  amount: "1.5",
  approval: "ap-5n27h-dxfqg-o8u7tpwvrgnu3ef",
  blocks: "2",
  duration: "1h",
  event: "wh-5n27h-dxfqg-o8u7tpwvrgnu3ef",
  file: "/nowhere/file",
  from: "wallet-1",
  holder: "wallet-1",
  id: "7",
  ids: "xfr-5n27h-dxfqg-o8u7tpwvrgnu3efz",
  kind: "wallet.created",
  network: "EthereumSepolia",
  organisation: "or-5n27h-dxfqg-o8u7tpwvrgnu3ef",
  payee: "wallet-1",
  process: "signer-2",
  processes: "gateway",
  rpcUrl: "http://127.0.0.1:8545",
  shell: "bash",
  signer: "signer-2",
  snapshot: "first",
  state: "/nowhere",
  to: "wallet-2",
  wallet: "wallet-1",
};
/** Texts that can be anything, or that only the running cluster knows. */
const FREE = [
  ...[
    "address",
    "asset",
    "evidence",
    "file",
    "from",
    "holder",
    "json",
    "memo",
    "nodes",
    "payee",
    "process",
    "processes",
  ],
  ...["reason", "roster", "seed", "state", "symbol", "to", "token", "wallet", "walletName"],
];
/** Commands that start something, or that need no cluster. */
const WITHOUT_CLUSTER =
  /^(up|supervise|demo|bench|provision|developer|completion|complete|verify-\w+|down|reset|status)$/;
/** Options of which a command needs one. */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  import: ["--allow"],
  export: ["--deny"],
};
const STARTS = /^(up|supervise|demo|bench|provision|developer)$/;
const WRONG = "?";

interface Line {
  readonly title: string;
  readonly path: readonly string[];
  readonly command: Command;
}

const hasAction = (command: Command): boolean => Boolean(Reflect.get(command, "_actionHandler"));

const linesOf = (parent: Command, above: readonly string[] = []): readonly Line[] =>
  parent.commands.flatMap((command) => {
    const path = [...above, command.name()];
    const own =
      hasAction(command) && command.name() !== "complete" ? [{ title: path.join(" "), path, command }] : [];
    return [...own, ...linesOf(command, path)];
  });
const LINES = linesOf(makeProgram(() => undefined));

const choiceOf = ({ argChoices }: Argument | Option): string | undefined => argChoices?.[0];
const fitting = (name: string, of: Argument | Option): string =>
  choiceOf(of) ?? FITTING[name] ?? expect.fail(`no value for ${name}`);
const wordsOf = ({ command }: Line): readonly string[] =>
  command.registeredArguments.map((each) => fitting(each.name(), each));
const optionsOf = ({ command }: Line): readonly string[] =>
  command.options
    .filter(({ mandatory }) => mandatory)
    .flatMap((option) => [option.long ?? "", fitting(option.attributeName(), option)]);
const withValues = ({ command }: Line): readonly Option[] =>
  command.options.filter(({ required }) => required);

/** Runs a command line in this process, but for one that starts something. */
const run = async (words: readonly string[]) => {
  let code = 0;
  const program = makeProgram((given) => {
    code = given;
  });
  program.hook("preAction", () => {
    if (STARTS.test(words[0] ?? "")) throw new Error("it starts");
  });
  const heard = { out: "", failed: "" };
  const hearing = (stream: NodeJS.WriteStream, name: keyof typeof heard) =>
    vi.spyOn(stream, "write").mockImplementation((text) => {
      heard[name] += String(text);
      return true;
    });
  const spies = [hearing(process.stdout, "out"), hearing(process.stderr, "failed")];
  try {
    await program.parseAsync([...words], { from: "user" });
  } catch (cause) {
    const { text, exitCode } = await failureOf(cause, undefined);
    code = exitCode;
    heard.failed += text;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { code, ...heard };
};

const expectMisuse = async (words: readonly string[]): Promise<void> => {
  const { code, out, failed } = await run(words);
  expect([words, code, out]).toEqual([words, 2, ""]);
  expect(failed).toMatch(
    /^(error|conclave): [^\n]+\n(\(Did you mean .+\)\n)?\(--help says what it takes\)\n$/,
  );
};

describe.each(LINES)("conclave $title", (line) => {
  const { path, command } = line;
  const [words, options] = [wordsOf(line), optionsOf(line)];
  const isVariadic = command.registeredArguments.some(({ variadic }) => variadic);

  it("refuses a line that says too little or too much with 2, in a sentence", async () => {
    await expectMisuse([...path, ...words, ...options, "--no-such-option"]);
    if (!isVariadic) await expectMisuse([...path, ...words, ...options, "one-more"]);
    const needed = command.registeredArguments.filter(({ required }) => required);
    if (needed.length > 0) await expectMisuse([...path, ...words.slice(0, needed.length - 1), ...options]);
    for (let at = 0; at < options.length; at += 2)
      await expectMisuse([...path, ...words, ...options.toSpliced(at, 2)]);
    for (const { long } of withValues(line)) await expectMisuse([...path, ...words, ...options, long ?? ""]);
  });

  it("refuses each value that is none of its kind with 2, in a sentence", async () => {
    for (const [at, argument] of command.registeredArguments.entries()) {
      if (FREE.includes(argument.name())) continue;
      await expectMisuse([...path, ...words.with(at, WRONG), ...options]);
    }
    for (const option of withValues(line)) {
      if (FREE.includes(option.attributeName())) continue;
      await expectMisuse([...path, ...words, ...options, option.long ?? "", WRONG]);
    }
  });
});

/** The line with this option, which commands below another one take from that. */
const placed = (
  { path, command }: Line,
  rest: readonly string[],
  ...option: readonly string[]
): readonly string[] =>
  command.options.some(({ long }) => long === option[0])
    ? [...path, ...rest, ...option]
    : [...path.slice(0, 1), ...option, ...path.slice(1), ...rest];

describe.each(LINES.filter(({ path: [first = ""] }) => !WITHOUT_CLUSTER.test(first)))(
  "conclave $title, without a cluster that could do it,",
  (line) => {
    const rest = [...wordsOf(line), ...optionsOf(line), ...(CHOSEN[line.title] ?? [])];
    let state: string;
    beforeEach(() => {
      state = mkdtempSync(join(tmpdir(), "conclave-command-"));
    });
    afterEach(() => rmSync(state, { recursive: true, force: true }));

    const withoutState = (words: readonly string[]): readonly string[] => {
      const at = words.indexOf("--state");
      return at < 0 ? words : words.toSpliced(at, 2);
    };
    const expectFailure = async (words: readonly string[]): Promise<void> => {
      const { code, out, failed } = await run(words);
      expect([words, code, out]).toEqual([words, 1, ""]);
      expect(failed).toMatch(/^\nconclave: [^\n]+\n[^\n]+\n$/);
      expect(failed).not.toContain("does not know");
    };

    it("says so where none was started, and makes none", async () => {
      if (line.command.options.some(({ long, mandatory }) => long === "--state" && mandatory)) {
        await expectFailure([...line.path, ...rest]);
        return;
      }
      await expectFailure(placed(line, rest, "--name", NEVER_STARTED));
      expect(existsSync(clusterFolder(NEVER_STARTED))).toBe(false);
    });

    it("says so where its folder is damaged, and leaves it as it is", async () => {
      const { description } = stateLayout(state);
      mkdirSync(dirname(description), { recursive: true });
      writeFileSync(description, "no description");
      const before = readdirSync(state, { recursive: true }).sort();
      await expectFailure(placed(line, withoutState(rest), "--state", state));
      expect(readdirSync(state, { recursive: true }).sort()).toEqual(before);
    });
  },
);
