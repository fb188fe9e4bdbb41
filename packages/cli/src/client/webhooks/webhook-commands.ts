import type { Command } from "commander";
import { anId } from "../../arguments/an-id.ts";
import { type ClusterOption, operating } from "../../cluster-option.ts";
import type { RecordsPlace } from "../../operator/fault-records.ts";
import { nextStopRequest } from "../../stop-request.ts";
import { asking, type ClientOptions, gatewayOf } from "../asking.ts";

/** The parts of a command line that the program supplies. */
interface ProgramParts {
  readonly setExitCode: (code: number) => void;
  /** where the records of the cluster are that the options name */
  readonly recordsPlace: (options: ClusterOption) => Promise<RecordsPlace>;
  readonly namesBetweenCommas: (text: string) => readonly string[];
}

/** Adds `conclave webhooks` with its commands: listen, trigger, resend, list, events. */
export const addWebhookCommands = (
  program: Command,
  { setExitCode, recordsPlace, namesBetweenCommas }: ProgramParts,
): void => {
  const webhooks = program.command("webhooks").description("hear, try out and repeat deliveries to webhooks");
  asking(webhooks.command("listen"))
    .description("make a webhook to this machine, show each delivery and send it on, until Ctrl-C")
    .option("--forward-to <url>", "where deliveries go, body and headers as they came")
    .option(
      "--events <kinds>",
      "such as wallet.transfer.confirmed, by commas; all by default",
      namesBetweenCommas,
      [],
    )
    .action(
      async (
        options: ClientOptions & { readonly forwardTo?: string; readonly events: readonly string[] },
      ) => {
        const { listenToWebhook } = await import("./listen.ts");
        await listenToWebhook(() => gatewayOf(options), options, nextStopRequest());
      },
    );
  operating(webhooks.command("trigger <kind>"))
    .description(
      "send a made-up event to the webhooks that ask for its kind: exit code 1 unless all answer 200",
    )
    .option("--webhook <id>", "this webhook alone, whatever it asks for", anId)
    .action(async (kind: string, { webhook, ...options }: ClusterOption & { readonly webhook?: string }) => {
      const { trigger } = await import("../../commands/records/webhooks/trigger.ts");
      setExitCode((await trigger(await recordsPlace(options), kind, webhook)) ? 0 : 1);
    });
  operating(webhooks.command("resend <event>"))
    .description("deliver an event of `conclave webhooks events` again: exit code 1 unless the answer is 200")
    .action(async (event: string, options: ClusterOption) => {
      const { resend } = await import("../../commands/records/webhooks/resend.ts");
      setExitCode((await resend(await recordsPlace(options), event)) ? 0 : 1);
    });
  asking(webhooks.command("list"))
    .description("list the organisation's webhooks")
    .action(async (options: ClientOptions) => {
      const { printWebhooks } = await import("./webhook-lists.ts");
      await printWebhooks(await gatewayOf(options), options);
    });
  asking(webhooks.command("events"))
    .description("list what webhooks were sent, each attempt with its id")
    .option("--webhook <id>", "this webhook alone", anId)
    .action(async ({ webhook, ...options }: ClientOptions & { readonly webhook?: string }) => {
      const { printWebhookEvents } = await import("./webhook-lists.ts");
      await printWebhookEvents(await gatewayOf(options), webhook, options);
    });
};
