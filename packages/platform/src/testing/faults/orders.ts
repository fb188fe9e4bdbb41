import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lieNamed } from "@conclave/threshold/testing";
import { z } from "zod";
import { FAULT_POINTS } from "../../fault-points/index.ts";

const ORDERS = "orders.json";
const REACHED = "reached.json";

/** Key for Node's `setEnvironmentData`: under it worker threads find the folder of the fault orders. */
export const FAULTS_OF_WORKERS = "faults";

const pointSchema = z.enum(FAULT_POINTS.map(({ point }) => point));
const pointOrderSchema = z.strictObject({ point: pointSchema, hit: z.int().positive() });

/** names a message and its field */
const lieSchema = z.string().check(({ value, issues }) => {
  const named = lieNamed(value);
  if (!named.ok) issues.push({ code: "custom", input: value, message: named.reason });
});

const ordersSchema = z.strictObject({
  points: z.array(pointOrderSchema).default([]),
  disk: z.enum(["full", "unsynced"]).nullable().default(null),
  clockMs: z.int().default(0),
  lies: z.array(lieSchema).default([]),
});

/** The faults that are ordered inside a process; absent ones do not occur. */
export type FaultOrders = z.input<typeof ordersSchema>;
type ReadOrders = z.output<typeof ordersSchema>;
export type PointOrder = z.output<typeof pointOrderSchema>;

/** Replaces a file atomically, so that readers never see a part of it; it is on disk when this returns. */
const writeWhole = (file: string, text: string): void => {
  const next = `${file}.next`;
  writeFileSync(next, text);
  const descriptor = openSync(next, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(next, file);
};

/**
 * Gives orders to the process whose CONCLAVE_FAULTS names the folder, running or not. They replace earlier ones.
 *
 * @throws if a point, or the message of a lie, is unknown; the error lists the known ones
 */
export const giveFaultOrders = (folder: string, orders: FaultOrders): void => {
  const read = ordersSchema.safeParse(orders);
  if (!read.success) throw new RangeError(z.prettifyError(read.error));
  writeWhole(join(folder, ORDERS), JSON.stringify(read.data));
};

/** The point at which the folder's process died as ordered; undefined if it did not. */
export const reachedFaultPoint = (folder: string): PointOrder | undefined => {
  const stats = statSync(join(folder, REACHED), { throwIfNoEntry: false });
  return stats && pointOrderSchema.parse(JSON.parse(readFileSync(join(folder, REACHED), "utf8")));
};

/** Records the point at which this process is about to die. */
export const noteReached = (folder: string, reached: PointOrder): void =>
  writeWhole(join(folder, REACHED), JSON.stringify(reached));

const NO_ORDERS: ReadOrders = ordersSchema.parse({});

/**
 * Reads the orders in a folder. Each call checks the file, so that new orders take effect at once.
 *
 * @returns a function that returns the current orders
 */
export const readingFaultOrders = (folder: string): (() => ReadOrders) => {
  const file = join(folder, ORDERS);
  let known = { version: "", orders: NO_ORDERS };
  return () => {
    const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
    const version = stats === undefined ? "" : `${stats.ino}/${stats.mtimeNs}`;
    if (version !== known.version) {
      const orders =
        stats === undefined ? NO_ORDERS : ordersSchema.parse(JSON.parse(readFileSync(file, "utf8")));
      known = { version, orders };
    }
    return known.orders;
  };
};
