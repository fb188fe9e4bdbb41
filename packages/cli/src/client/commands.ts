import type { Command } from "commander";
import { idOf } from "../arguments/an-id.ts";
import { wholeCoins } from "../arguments/coins.ts";
import { networkName } from "../arguments/network-name.ts";
import { nextStopRequest } from "../stop-request.ts";
import { asking, type ClientOptions, gatewayOf } from "./asking.ts";
import type { TransferOrder } from "./transfer.ts";

/** Adds the client commands, which call the gateway: wallets, transfers, policies, approvals, events. */
export const addClientCommands = (program: Command, setExitCode: (code: number) => void): void => {
  addWallets(program);
  addTransfer(program, setExitCode);
  addPolicies(program);
  addEvents(program);
};

const addWallets = (program: Command): void => {
  const wallet = program.command("wallet").description("make and show wallets");
  asking(wallet.command("create"))
    .description("make a wallet, and a key for it")
    .requiredOption("--network <network>", "such as EthereumSepolia", networkName)
    .option("--wallet-name <text>", "what people call it")
    .action(
      async ({
        network,
        walletName,
        ...options
      }: ClientOptions & { readonly network: string; readonly walletName?: string }) => {
        const { askForWallet } = await import("./wallets.ts");
        const { json } = options;
        await askForWallet(await gatewayOf(options), {
          json,
          network,
          ...(walletName === undefined ? {} : { name: walletName }),
        });
      },
    );
  asking(wallet.command("list"))
    .description("list the organisation's wallets")
    .action(async (options: ClientOptions) => {
      const { printWallets } = await import("./wallets.ts");
      await printWallets(await gatewayOf(options), options);
    });
  asking(wallet.command("show <wallet>"))
    .description("show a wallet, by its id or name, and what it holds")
    .action(async (named: string, options: ClientOptions) => {
      const { showWallet } = await import("./wallets.ts");
      await showWallet(await gatewayOf(options), named, options);
    });
};

const addTransfer = (program: Command, setExitCode: (code: number) => void): void => {
  asking(program.command("transfer"))
    .description("send what a wallet holds, and wait until it is confirmed: exit code 1 when it is not")
    .requiredOption("--from <wallet>", "the wallet's id or name")
    .requiredOption("--to <payee>", "an address, or a wallet of the same network by its id or name")
    .requiredOption("--amount <coins>", "whole coins, such as 1.5", wholeCoins)
    .option("--asset <name>", "a symbol, a contract or another name on the chain; its own coin by default")
    .option("--memo <text>", "where the network knows memos")
    .option("--no-wait", "return once it is accepted")
    .action(async (options: ClientOptions & TransferOrder) => {
      const { transfer } = await import("./transfer.ts");
      setExitCode((await transfer(await gatewayOf(options), options)) ? 0 : 1);
    });
};

const addPolicies = (program: Command): void => {
  const policy = program.command("policy").description("show what judges requests");
  asking(policy.command("list"))
    .description("list the policies")
    .action(async (options: ClientOptions) => {
      const { printPolicies } = await import("./policies.ts");
      await printPolicies(await gatewayOf(options), options);
    });
  const approval = program.command("approval").description("show what waits for people");
  asking(approval.command("list"))
    .description("list the requests that wait for an approval")
    .option("--all", "those that were decided too", false)
    .action(async (options: ClientOptions & { readonly all: boolean }) => {
      const { printApprovals } = await import("./policies.ts");
      await printApprovals(await gatewayOf(options), options);
    });
  asking(program.command("approve"))
    .description("approve what waits, as one of its approvers")
    .argument("<approval>", "such as ap-…", idOf("ap"))
    .option("--deny", "deny it instead", false)
    .option("--reason <text>", "goes on record")
    .action(
      async (id: string, options: ClientOptions & { readonly deny: boolean; readonly reason?: string }) => {
        const { approve } = await import("./policies.ts");
        await approve(await gatewayOf(options), id, options);
      },
    );
};

const addEvents = (program: Command): void => {
  asking(program.command("events"))
    .description("show what the organisation's webhooks were sent")
    .option("--kind <kinds...>", "such as wallet.transfer.confirmed; all by default", [])
    .option("--follow", "show events as they happen instead, until Ctrl-C", false)
    .action(
      async ({
        kind,
        follow,
        ...options
      }: ClientOptions & { readonly kind: readonly string[]; readonly follow: boolean }) => {
        const { refuseUnknownKinds } = await import("./webhooks/event-kinds.ts");
        refuseUnknownKinds(kind);
        const ask = await gatewayOf(options);
        const asked = { json: options.json, kinds: kind };
        if (follow) {
          const { followEvents } = await import("./events.ts");
          return followEvents(ask, asked, nextStopRequest());
        }
        const { printEvents } = await import("./webhooks/webhook-lists.ts");
        return printEvents(ask, asked);
      },
    );
};
