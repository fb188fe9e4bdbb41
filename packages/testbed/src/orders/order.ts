import { join } from "node:path";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";

/** Such as "signer-2", or "ledger-Algorand". */
const processName = z.string().regex(/^[a-z][A-Za-z0-9-]{0,63}$/, "is no name of a process");

/** An order of an operator to the process that runs a cluster. */
export const orderSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("restart"), process: processName }),
  z.strictObject({ kind: z.literal("start"), process: processName }),
  z.strictObject({ kind: z.literal("stop"), process: processName }),
  z.strictObject({ kind: z.literal("apply-roster") }),
]);
export type Order = z.infer<typeof orderSchema>;

/** A line of JSON that reports on an order. The last one is "done" or "failed". */
export const orderReportSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("progress"), text: z.string() }),
  z.strictObject({ kind: z.literal("done") }),
  z.strictObject({ kind: z.literal("failed"), message: z.string(), remedy: z.string() }),
]);
export type OrderReport = z.infer<typeof orderReportSchema>;

/** Maximum bytes of an order; real ones stay below a tenth of this. */
export const ORDER_BYTES_MAX = 1_024;

/** Maximum bytes of a socket's path: one less than the system's buffer, which ends with a zero byte. */
const PATH_BYTES_MAX = process.platform === "linux" ? 107 : 103;

/** Returns the path of the socket for orders. Throws a LaunchError if the path is too long for a socket. */
export const orderSocket = (run: string): string => {
  const path = join(run, "orders.sock");
  const length = Buffer.byteLength(path);
  if (length <= PATH_BYTES_MAX) return path;
  throw new LaunchError(
    `the path of the cluster's socket for orders has ${length} bytes, and a socket takes ${PATH_BYTES_MAX}: ${path}`,
    "Start the cluster from a folder with a shorter path.",
  );
};
