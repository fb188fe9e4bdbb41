import { type Command, Option } from "commander";
import { type ClusterOption, operating, stateFolder } from "../cluster-option.ts";
import type { ClientIdentity } from "./access.ts";
import type { AskGateway } from "./gateway.ts";
import type { Shown } from "./print.ts";

export interface ClientOptions extends ClusterOption, Shown {
  readonly as: ClientIdentity;
}

/**
 * Adds the options of a command that calls the gateway. `--name` still names the cluster, although a wallet has a name
 * too.
 */
export const asking = (command: Command): Command =>
  operating(command)
    .addOption(
      new Option("--as <who>", "the development organisation's administrator, or its service account")
        .choices(["developer", "service"])
        .default("developer"),
    )
    .option("--json", "as JSON", false);

/** The gateway of the cluster that the options name, or of CONCLAVE_API. */
export const gatewayOf = async (options: ClientOptions): Promise<AskGateway> => {
  const [{ accessOf }, { openGateway }] = await Promise.all([import("./access.ts"), import("./gateway.ts")]);
  return openGateway(accessOf(stateFolder(options), process.env, options.as));
};
