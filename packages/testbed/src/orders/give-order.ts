import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { LaunchError } from "../launch-error.ts";
import { type Order, orderReportSchema, orderSocket } from "./order.ts";

const isIncoming = (value: unknown): value is IncomingMessage =>
  typeof value === "object" && value !== null && "statusCode" in value;

const send = async (socketPath: string, order: Order): Promise<IncomingMessage> => {
  const sent = request({ socketPath, path: "/orders", method: "POST" });
  sent.on("error", () => undefined); // after the answer has begun, its stream reports the error
  sent.end(JSON.stringify(order));
  try {
    const [answer] = await once(sent, "response");
    if (isIncoming(answer)) return answer;
  } catch {
    // nobody listens, or the socket belongs to another user's cluster
  }
  throw new LaunchError(
    `no cluster takes orders at ${socketPath}`,
    "`conclave up` starts it; one that an older version started has to be started again.",
  );
};

/**
 * Sends an order to the process that runs a cluster, and waits until it is carried out. Rejects with a LaunchError if it
 * fails, or no process accepts orders there.
 *
 * @param run the folder of the running cluster
 * @param say called with progress, for people
 */
export const giveOrder = async (run: string, order: Order, say: (line: string) => void): Promise<void> => {
  const answer = await send(orderSocket(run), order);
  const ended = new LaunchError(
    "the process that runs the cluster ended while it carried the order out",
    "`conclave status` shows what runs; `conclave up` starts the cluster again.",
  );
  const broken = new Promise<never>((_, reject) => {
    answer.once("error", () => reject(ended));
  });
  broken.catch(() => undefined);
  const lines = createInterface({ input: answer })[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await Promise.race([lines.next(), broken]);
    if (done === true) throw ended;
    const report = orderReportSchema.parse(JSON.parse(value));
    if (report.kind === "done") return;
    if (report.kind === "failed") throw new LaunchError(report.message, report.remedy);
    say(report.text);
  }
};
