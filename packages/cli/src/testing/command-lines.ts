import type { Argument, Command, Option } from "commander";
import { expect, vi } from "vitest";
import { failureOf } from "../failure/failure-of.ts";
import { makeProgram } from "../program.ts";

/** Values of another cluster's things, which a command takes for their form, by the names of its arguments and options. */
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

export interface CommandLine {
  readonly title: string;
  readonly path: readonly string[];
  readonly command: Command;
}

/** The words after "conclave". */
type Words = readonly string[];

const hasAction = (command: Command): boolean => Boolean(Reflect.get(command, "_actionHandler"));

const linesOf = (parent: Command, above: readonly string[] = []): readonly CommandLine[] =>
  parent.commands.flatMap((command) => {
    const path = [...above, command.name()];
    const own =
      hasAction(command) && command.name() !== "complete" ? [{ title: path.join(" "), path, command }] : [];
    return [...own, ...linesOf(command, path)];
  });
/** Every command that does something. */
export const COMMAND_LINES = linesOf(makeProgram(() => undefined));

/** Those that work on a cluster that there is, and stop or start none. */
export const LINES_ABOUT_CLUSTERS = COMMAND_LINES.filter(
  ({ path: [first = ""] }) => !WITHOUT_CLUSTER.test(first),
);

const choiceOf = ({ argChoices }: Argument | Option): string | undefined => argChoices?.[0];
const fitting = (name: string, of: Argument | Option): string =>
  choiceOf(of) ?? FITTING[name] ?? expect.fail(`no value for ${name}`);
const wordsOf = ({ command }: CommandLine): Words =>
  command.registeredArguments.map((each) => fitting(each.name(), each));
/** The options that a command needs, but for one that names the cluster. */
const optionsOf = ({ command }: CommandLine): Words =>
  command.options
    .filter(({ mandatory, long }) => mandatory && long !== "--state")
    .flatMap((option) => [option.long ?? "", fitting(option.attributeName(), option)]);
const withValues = ({ command }: CommandLine): readonly Option[] =>
  command.options.filter(({ required }) => required);

/** Runs a command line in this process, but for one that starts something. */
export const runLine = async (words: Words) => {
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

/** How a line names the cluster: by its folder or its name, as far as the command takes one. */
export interface NamedCluster {
  readonly name?: string;
  readonly state?: string;
}

const NOWHERE = "/nowhere";

const takes = ({ command }: CommandLine, long: string): Option | undefined =>
  [command, command.parent].flatMap((one) => one?.options.find((option) => option.long === long) ?? [])[0];

const clusterWords = (line: CommandLine, { name, state }: NamedCluster): Words => {
  const folder = takes(line, "--state");
  if (folder !== undefined && (state !== undefined || folder.mandatory)) return ["--state", state ?? NOWHERE];
  return name !== undefined && takes(line, "--name") !== undefined ? ["--name", name] : [];
};

/** A line about a cluster. Commands below another one take the options that name it from that one. */
const lineAbout = (line: CommandLine, cluster: NamedCluster, rest: Words): Words => {
  const { path, command } = line;
  const isAbove = command.options.every(({ long }) => long !== "--state" && long !== "--name");
  const words = clusterWords(line, cluster);
  return isAbove ? [...path.slice(0, 1), ...words, ...path.slice(1), ...rest] : [...path, ...words, ...rest];
};

/**
 * A line that a command takes for its form.
 * @param rest the words after those that name the cluster; by default values for all that it needs
 */
export const fittingLine = (line: CommandLine, cluster: NamedCluster, rest?: Words): Words =>
  lineAbout(line, cluster, rest ?? [...wordsOf(line), ...optionsOf(line), ...(CHOSEN[line.title] ?? [])]);

/** Lines that say too little or too much. */
export const incompleteLines = (line: CommandLine, cluster: NamedCluster): readonly Words[] => {
  const { command, path } = line;
  const [words, options] = [wordsOf(line), optionsOf(line)];
  const isVariadic = command.registeredArguments.some(({ variadic }) => variadic);
  const needed = command.registeredArguments.filter(({ required }) => required).length;
  const lacking = Array.from({ length: options.length / 2 }, (_, nth) => options.toSpliced(2 * nth, 2));
  const rests: readonly Words[] = [
    [...words, ...options, "--no-such-option"],
    ...(isVariadic ? [] : [[...words, ...options, "one-more"]]),
    ...(needed === 0 ? [] : [[...words.slice(0, needed - 1), ...options]]),
    ...lacking.map((some) => [...words, ...some]),
    ...withValues(line).map(({ long }) => [...words, ...options, long ?? ""]),
  ];
  const isFolderNeeded = takes(line, "--state")?.mandatory ?? false;
  return [
    ...rests.map((rest) => lineAbout(line, cluster, rest)),
    ...(isFolderNeeded ? [[...path, ...words, ...options]] : []),
  ];
};

/** Lines that have one value that is none of its kind. */
export const wrongLines = (line: CommandLine, cluster: NamedCluster): readonly Words[] => {
  const [words, options] = [wordsOf(line), optionsOf(line)];
  const ofArguments = line.command.registeredArguments.flatMap((argument, at) =>
    FREE.includes(argument.name()) ? [] : [[...words.with(at, WRONG), ...options]],
  );
  const ofOptions = withValues(line).flatMap((option) =>
    FREE.includes(option.attributeName()) ? [] : [[...words, ...options, option.long ?? "", WRONG]],
  );
  return [...ofArguments, ...ofOptions].map((rest) => lineAbout(line, cluster, rest));
};

/** Runs a line that is refused for its form: with 2, in a sentence. */
export const expectMisuse = async (words: Words): Promise<void> => {
  const { code, out, failed } = await runLine(words);
  expect([words, code, out]).toEqual([words, 2, ""]);
  expect(failed).toMatch(
    /^(error|conclave): [^\n]+\n(\(Did you mean .+\)\n)?\(--help says what it takes\)\n$/,
  );
};

/** Runs a line that cannot be carried out: with 1, in a sentence and its remedy, and the details that the gateway adds. @returns these */
export const expectFailure = async (words: Words): Promise<string> => {
  const { code, out, failed } = await runLine(words);
  expect([words, code, out]).toEqual([words, 1, ""]);
  expect(failed).toMatch(/^\nconclave: [^\n]+\n[^\n]+\n(details\.\w+: [^\n]+\n)*$/);
  expect(failed).not.toContain("does not know");
  return failed;
};
