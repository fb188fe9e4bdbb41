import { programVersion, stateLayout } from "@conclave/testbed/launch";
import { Command, Option } from "commander";
import { anId, idOf, someIds } from "./arguments/an-id.ts";
import { wholeCoins } from "./arguments/coins.ts";
import { aSigner, httpUrl, memberNames } from "./arguments/names.ts";
import { networkName, networkNames } from "./arguments/network-name.ts";
import { firstPort, listNumber, walletCount, wholeNumber } from "./arguments/whole-number.ts";
import { addClientCommands } from "./client/commands.ts";
import { addWebhookCommands } from "./client/webhooks/webhook-commands.ts";
import { clusterFolder } from "./cluster-folder.ts";
import { type ClusterOption, named, operating, stateFolder } from "./cluster-option.ts";
import { addBalanceCommand } from "./commands/balance/balance-command.ts";
import { addChainCommands } from "./commands/chain/chain-commands.ts";
import type { FundOptions } from "./commands/fund.ts";
import type { LogsAsked } from "./commands/logs/logs.ts";
import type { ProvisionOptions } from "./commands/provision.ts";
import type { Passage } from "./commands/records/key-passage.ts";
import { addRosterCommands } from "./commands/roster/roster-commands.ts";
import { addSnapshotCommands } from "./commands/snapshot/snapshot-commands.ts";
import { addTokenCommands } from "./commands/token/token-commands.ts";
import type { UpOptions } from "./commands/up.ts";
import type { KeyDemand } from "./commands/verify-key.ts";
import { addCompletion } from "./completion/completion.ts";
import { nextStopRequest } from "./stop-request.ts";

/** The database URL that the environment sets. */
const databaseUrl = async (): Promise<string | undefined> => {
  const { databaseUrlIn } = await import("./operator/database-url.ts");
  return databaseUrlIn(process.env);
};

/** Where the records of the cluster are that the options name. */
const recordsPlace = async (options: ClusterOption) => ({
  state: stateFolder(options),
  databaseUrl: await databaseUrl(),
});

const namesBetweenCommas = (text: string): readonly string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

const sized = (command: Command): Command =>
  named(command)
    .option("--signers <n>", "how many signers; 5 for a new cluster", wholeNumber)
    .option("--threshold <t>", "how many of them sign together; 3 for a new cluster", wholeNumber)
    .option("--port <n>", "the gateway's port, which the others follow; 8080 by default", firstPort)
    .option("--wallets <n>", "have so many funded wallets, up to 20: wallet-1, wallet-2, …", walletCount, 0)
    .option("--allow-import", "clients of the development organisation may bring keys", false)
    .option("--allow-export", "clients of the development organisation may have keys handed out", false)
    .option(
      "--networks <names>",
      "which networks get a local node, by commas; EthereumSepolia always does",
      (text) => (text === "all" ? "all" : networkNames(text)),
      "all",
    )
    .option("--nodes <file>", "entries of the networks file for real nodes, in place of local ones")
    .option("--json", "print the banner's data as JSON on stdout; progress is on stderr", false)
    .addOption(
      new Option("--log-level <level>", "how much the services log")
        .choices(["debug", "info", "warn"])
        .default("info"),
    );

type SetExitCode = (code: number) => void;

const addLocalCluster = (program: Command, setExitCode: SetExitCode): void => {
  sized(program.command("up"))
    .description("start the cluster and stay until Ctrl-C")
    .option("--detach", "return once it is ready; it goes on in the background", false)
    .action(async (options: UpOptions & { readonly detach: boolean }) => {
      const { showRunning } = await import("./commands/show-ready.ts");
      if (await showRunning(clusterFolder(options.name), options)) return;
      if (options.detach) {
        const { upDetached } = await import("./commands/detached.ts");
        return upDetached(options);
      }
      const { up } = await import("./commands/up.ts");
      return up(options);
    });
  sized(program.command("supervise", { hidden: true })).action(async (options: UpOptions) => {
    const { supervise } = await import("./commands/supervise.ts");
    await supervise(options);
  });
  named(program.command("down"))
    .description("stop the cluster; its state stays")
    .action(async ({ name }: { readonly name: string }) => {
      const { down } = await import("./commands/down.ts");
      await down(name);
    });
  named(program.command("reset"))
    .description("stop the cluster and forget its state")
    .option("--yes", "do not ask whether that is meant", false)
    .action(async ({ name, yes }: { readonly name: string; readonly yes: boolean }) => {
      const { reset } = await import("./commands/reset.ts");
      await reset(name, yes);
    });
  named(program.command("status"))
    .description("show what runs")
    .option("--json", "as JSON", false)
    .action(async ({ name, json }: { readonly name: string; readonly json: boolean }) => {
      const { status } = await import("./commands/status.ts");
      setExitCode(await status(name, json));
    });
};

/** Adds the commands that print what clients of a running cluster need. */
const addClientSettings = (program: Command): void => {
  operating(program.command("env"))
    .description('print what clients need, as lines for a shell: eval "$(conclave env)"')
    .action(async (options: ClusterOption) => {
      const { env } = await import("./commands/env.ts");
      await env(stateFolder(options));
    });
};

const addStories = (program: Command, setExitCode: SetExitCode): void => {
  program
    .command("demo")
    .description("on a throw-away cluster: transfers while signers are killed")
    .option("--families", "then a transfer of each kind on a network of each other chain family", false)
    .action(async ({ families }: { readonly families: boolean }) => {
      const { demo } = await import("./demo/demo.ts");
      setExitCode((await demo(families)) ? 0 : 1);
    });
  program
    .command("bench")
    .description("measure at real parameters")
    .option("--json <file>", "write [{name, unit, value}] to this file")
    .action(async ({ json }: { readonly json?: string }) => {
      const { bench } = await import("./bench/bench.ts");
      await bench(json);
    });
};

/** Lines of each process that `conclave logs` shows, and lines of a request, where nothing else is asked. */
const LINES = 20;
const LINES_OF_REQUEST = 1_000;

interface LogsOptions extends ClusterOption, Pick<LogsAsked, "follow" | "json"> {
  readonly request?: string;
  readonly lines?: number;
}

/** Adds the commands that show a cluster: its API page and its processes' logs. */
const addObservation = (program: Command): void => {
  operating(program.command("open"))
    .description("show the page of the interface in the browser")
    .action(async (options: ClusterOption) => {
      const { openPage } = await import("./commands/open.ts");
      await openPage(stateFolder(options), process.env["CONCLAVE_API"]);
    });
  operating(program.command("logs [processes...]"))
    .description(
      "show what processes of the cluster wrote last, such as gateway or signer-1; all of them by default",
    )
    .option("--request <id>", "whole logs, but the lines about this request alone, such as xfr-…", anId)
    .option(
      "--lines <n>",
      "of each process, 20 by default; with --request of all together, 1000",
      wholeNumber,
    )
    .option("--follow", "go on with what they add, until Ctrl-C", false)
    .option("--json", "lines as the processes wrote them", false)
    .action(async (processes: readonly string[], { request, lines, ...options }: LogsOptions) => {
      const state = stateFolder(options);
      const stop = () => nextStopRequest().signal;
      if (request === undefined) {
        const { logs } = await import("./commands/logs/logs.ts");
        return logs(state, { ...options, processes, lines: lines ?? LINES }, stop);
      }
      const { requestLogs } = await import("./commands/logs/request-logs.ts");
      return requestLogs(state, { ...options, request, processes, lines: lines ?? LINES_OF_REQUEST }, stop);
    });
};

/** Adds the operator's commands for a running cluster. */
const addOperations = (program: Command): void => {
  operating(program.command("fund <payee>"))
    .description("pay a wallet, by its id or name, or an address, out of the faucet of a local network")
    .option("--network <network>", "of an address, such as Algorand; a wallet has its own", networkName)
    .option(
      "--amount <coins>",
      "whole coins or tokens, such as 1.5; 10 by default, 1 collectible",
      wholeCoins,
    )
    .option("--token <token>", "a token that `token create` has made, by its symbol, in place of coins")
    .action(async (payee: string, options: ClusterOption & FundOptions) => {
      const { fund } = await import("./commands/fund.ts");
      await fund(stateFolder(options), payee, options);
    });
  operating(program.command("refresh"))
    .description("give every signer new shares of the keys, and new auxiliary information")
    .option("--key <id>", "this key alone", idOf("key"))
    .action(async (options: ClusterOption & { readonly key?: string }) => {
      const { refresh } = await import("./commands/refresh.ts");
      await refresh(await recordsPlace(options), options.key);
    });
  operating(program.command("reprovision"))
    .description("give a signer that lost its disk a share of every key again")
    .argument("<signer>", "such as signer-2", aSigner)
    .action(async (signer: string, options: ClusterOption) => {
      const { reprovision } = await import("./commands/reprovision.ts");
      await reprovision(await recordsPlace(options), signer);
    });
  operating(program.command("discard-epochs"))
    .description("erase the new epochs that failed attempts left, as far as enough signers waive them")
    .action(async (options: ClusterOption) => {
      const { discardEpochs } = await import("./commands/discard-epochs.ts");
      await discardEpochs(await recordsPlace(options));
    });
};

/** Adds the commands that give orders to the process that runs a cluster on this machine. */
const addOrders = (program: Command): void => {
  const ordering = (kind: "restart" | "start" | "stop", description: string): void => {
    operating(program.command(`${kind} <process>`))
      .description(description)
      .action(async (process: string, options: ClusterOption) => {
        const { giveProcessOrder } = await import("./commands/order.ts");
        await giveProcessOrder(stateFolder(options), { kind, process });
      });
  };
  ordering("restart", "stop one process of the running cluster, such as signer-2, and start it again");
  ordering("start", "start one process of the running cluster that was stopped or has ended");
  ordering("stop", "stop one process of the running cluster; the others run on");
};

interface PassageOptions extends ClusterOption {
  readonly organisation: string;
  readonly allow?: boolean;
  readonly deny?: boolean;
}

/** Adds the operator's settings for an organisation. By default import and export of keys are off. */
const addOrganisationSettings = (program: Command): void => {
  const setting = (passage: Passage, description: string): void => {
    operating(program.command(passage))
      .description(description)
      .requiredOption("--organisation <id>", "or-…", idOf("or"))
      .addOption(new Option("--allow", "they may").conflicts("deny"))
      .option("--deny", "they may not, as at first")
      .action(async ({ organisation, allow, deny, ...place }: PassageOptions) => {
        const { keyPassage } = await import("./commands/records/key-passage.ts");
        const decision = { passage, organisation, allow: allow === true, deny: deny === true };
        await keyPassage(stateFolder(place), decision, await databaseUrl());
      });
  };
  setting("import", "say whether clients of an organisation may bring keys of their own");
  setting("export", "say whether clients of an organisation may have keys of it handed out");
};

/** Adds the commands for requests of which a cluster restored from a backup does not know whether it carried them out. */
const addReconciliation = (program: Command): void => {
  const reconciled = operating(program.command("reconcile"))
    .description("list the requests that a cluster may have carried out before its records were put back")
    .option("--json", "as JSON", false)
    .action(async ({ json, ...options }: ClusterOption & { readonly json: boolean }) => {
      const { reconcile } = await import("./commands/records/reconcile.ts");
      await reconcile(await recordsPlace(options), json);
    });
  reconciled
    .command("rule-out")
    .description("say of some that nothing on the chain carried them out: they are built and paid")
    .argument("<ids...>", "such as xfr-…", someIds)
    .action(async (ids: readonly string[]) => {
      const { ruleOutSent } = await import("./commands/records/reconcile.ts");
      await ruleOutSent(await recordsPlace(reconciled.opts<ClusterOption>()), ids);
    });
};

/** Adds the commands that list signers that deviated from the protocol, and verify the evidence. */
const addEvidence = (program: Command, setExitCode: SetExitCode): void => {
  const faults = operating(program.command("faults"))
    .description("list the signers that were proved to deviate, when, and in which session")
    .option("--json", "as JSON", false)
    .action(async ({ json, ...options }: ClusterOption & { readonly json: boolean }) => {
      const { faults } = await import("./commands/records/faults.ts");
      await faults(await recordsPlace(options), json);
    });
  // the options of `faults` apply here too, at any position
  faults
    .command("export")
    .description("write the evidence of one of them to a file")
    .argument("<id>", "the number in the list", listNumber)
    .argument("<file>", "where it goes")
    .action(async (id: string, file: string) => {
      const { exportEvidence } = await import("./commands/records/faults.ts");
      await exportEvidence(await recordsPlace(faults.opts<ClusterOption>()), id, file);
    });
  const parked = operating(program.command("parked"))
    .description("list the requests that failed again and again, and why")
    .option("--json", "as JSON", false)
    .action(async ({ json, ...options }: ClusterOption & { readonly json: boolean }) => {
      const { parked } = await import("./commands/records/parked.ts");
      await parked(await recordsPlace(options), json);
    });
  parked
    .command("take-up")
    .description("have some of them, or all, looked at again")
    .argument("[ids...]", "such as xfr-…", someIds)
    .action(async (ids: readonly string[] = []) => {
      const { takeUp } = await import("./commands/records/parked.ts");
      await takeUp(await recordsPlace(parked.opts<ClusterOption>()), ids);
    });
  addReconciliation(program);
  operating(program.command("verify-evidence <file>"))
    .description(
      "check an evidence file with the roster alone: exit code 0 proven, 1 not proven, 2 unreadable",
    )
    .option("--roster <file>", "the roster of the cluster; by default that of the cluster's folder")
    .action(async (file: string, { roster, ...options }: ClusterOption & { readonly roster?: string }) => {
      const { verifyEvidence } = await import("./commands/verify-evidence.ts");
      setExitCode(await verifyEvidence(file, () => roster ?? stateLayout(stateFolder(options)).roster));
    });
};

/** Adds the command that verifies the signers' attestations of a key. */
const addVerifyKey = (program: Command, setExitCode: SetExitCode): void => {
  operating(program.command("verify-key <file>"))
    .description(
      "check what GET /keys/{keyId}/attestations answered with the roster alone, and print the key's addresses: exit code 0 proven, 1 not proven, 2 unreadable",
    )
    .option("--roster <file>", "the roster of the cluster; by default that of the cluster's folder")
    .option("--key <id>", "the key that it has to be", idOf("key"))
    .option("--address <address>", "an address that has to be the key's")
    .option("--imported", "take a key that a client brought, and so knows", false)
    .option("--older", "take a key of the version before, of which nobody says how it came to be", false)
    .action(
      async (
        file: string,
        { roster, ...given }: ClusterOption & KeyDemand & { readonly roster?: string },
      ) => {
        const { verifyKey } = await import("./commands/verify-key.ts");
        setExitCode(await verifyKey(file, () => roster ?? stateLayout(stateFolder(given)).roster, given));
      },
    );
};

/** Adds the commands for clusters that run in containers or the like, not under `conclave up`. */
const addProvisioning = (program: Command): void => {
  program
    .command("provision")
    .description("write the files of a cluster that containers run")
    .requiredOption("--state <folder>", "where they go")
    .requiredOption("--rpc-url <url>", "where the signers reach the EVM node", httpUrl)
    .option(
      "--signer-port <port>",
      "each signer listens there, on a host called by its id",
      wholeNumber,
      7000,
    )
    .option("--signers <n>", "how many signers; 5 for a new cluster", wholeNumber)
    .option("--threshold <t>", "how many of them sign together; 3 for a new cluster", wholeNumber)
    .option(
      "--networks <names>",
      "which networks have a simulated node beside the first one's, by commas, each on a host called ledger-<network>",
      networkNames,
      [],
    )
    .option("--seed <text>", "what those nodes were started with; the cluster's id by default")
    .action(async (options: ProvisionOptions) => {
      const { provision } = await import("./commands/provision.ts");
      await provision(options);
    });
  program
    .command("developer")
    .description("enter the development user in DATABASE_URL, and print its token")
    .requiredOption("--state <folder>", "the cluster's folder")
    .action(async ({ state }: { readonly state: string }) => {
      const { developer } = await import("./commands/provision.ts");
      await developer(state, await databaseUrl());
    });
};

interface CertificateOptions {
  readonly state: string;
  readonly only?: readonly string[];
  readonly prepare?: boolean;
  readonly switch?: boolean;
}

/** Adds the commands that renew keys and certificates. */
const addRenewal = (program: Command): void => {
  program
    .command("renew-identity")
    .description("make keys and certificate anew for a signer that lost its whole folder")
    .argument("<signer>", "such as signer-2", aSigner)
    .requiredOption("--state <folder>", "the cluster's folder, with the signer's own, which is empty")
    .action(async (signer: string, { state }: { readonly state: string }) => {
      const { renewSignerIdentity } = await import("./commands/provision.ts");
      await renewSignerIdentity(state, signer);
    });
  program
    .command("renew-certificates")
    .description("make the certificates of signers and orchestrator anew, for the keys that they have")
    .requiredOption("--state <folder>", "the cluster's folder, with those of its members")
    .option("--only <members>", "these alone, by commas, such as signer-2,orchestrator", memberNames)
    .addOption(
      new Option("--prepare", "make them, and have them trusted; put none in force yet").conflicts("switch"),
    )
    .option("--switch", "put those in force that were prepared")
    .action(async ({ state, only, prepare, switch: goesOver }: CertificateOptions) => {
      const { renewMembersCertificates } = await import("./commands/renew-certificates.ts");
      const half = prepare === true ? "prepare" : goesOver === true ? "switch" : undefined;
      await renewMembersCertificates({ state, only, half });
    });
};

/** Makes the program with all commands; each loads its modules when it runs, and sets its exit code by `setExitCode`. */
export const makeProgram = (setExitCode: SetExitCode): Command => {
  const program = new Command("conclave").description("An MPC wallet custody cluster on your machine");
  // main.ts maps a refused command line to its exit code; each command inherits this
  program.exitOverride();
  program.version(programVersion(), "--version", "print the version");
  program.showHelpAfterError("(--help says what it takes)");
  program.commandsGroup("The cluster:");
  addLocalCluster(program, setExitCode);
  addSnapshotCommands(program);
  addObservation(program);
  addClientSettings(program);
  program.commandsGroup("What it holds:");
  addClientCommands(program, setExitCode);
  addBalanceCommand(program);
  addWebhookCommands(program, { setExitCode, recordsPlace, namesBetweenCommas });
  program.commandsGroup("For its operator:");
  addOperations(program);
  addChainCommands(program);
  addTokenCommands(program);
  addOrders(program);
  addRosterCommands(program, recordsPlace);
  addOrganisationSettings(program);
  addEvidence(program, setExitCode);
  addVerifyKey(program, setExitCode);
  addProvisioning(program);
  addRenewal(program);
  program.commandsGroup("Shown and measured:");
  addStories(program, setExitCode);
  program.commandsGroup("For your shell:");
  addCompletion(program);
  return program;
};
