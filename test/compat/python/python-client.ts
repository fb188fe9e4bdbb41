import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { repositoryRoot } from "@conclave/testbed";
import { z } from "zod";
import { installPythonClient, PYTHON_FOLDER } from "./install.ts";

/** The options of the Python client; with a credential it signs its requests. */
export interface PythonAccess {
  readonly baseUrl: string;
  readonly token: string;
  readonly credential?: { readonly id: string; readonly privateKey: string };
}

const answerSchema = z.union([
  z.strictObject({ status: z.int(), value: z.unknown(), misfits: z.array(z.string()) }),
  z.strictObject({
    status: z.int().nullable(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
]);
/** The client's result with its deviations from the client's types, or the error that it raised. */
export type PythonAnswer = z.infer<typeof answerSchema>;

interface Waiting {
  readonly resolve: (line: string) => void;
  readonly reject: (cause: Error) => void;
}

/** The vendor's Python client from PyPI, in its own process. Calls run in sequence. */
export class PythonClient {
  /** the installation folder */
  readonly folder: string;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  readonly #waiting: Waiting[] = [];
  #said = "";
  #hasEnded = false;

  private constructor(folder: string, process: ChildProcessWithoutNullStreams) {
    this.folder = folder;
    this.#process = process;
    process.stderr.on("data", (data: Buffer) => {
      this.#said += data.toString();
    });
    createInterface({ input: process.stdout }).on("line", (line) => this.#waiting.shift()?.resolve(line));
    this.#ended = new Promise((resolve) => {
      process.on("close", () => {
        this.#hasEnded = true;
        for (const { reject } of this.#waiting) reject(this.#gone());
        resolve();
      });
    });
  }

  /** @throws with a sentence if Python or the registry is missing */
  static async start(): Promise<PythonClient> {
    const folder = await installPythonClient();
    const driver = join(repositoryRoot(), PYTHON_FOLDER, "driver.py");
    const env = { ...process.env, PYTHONPATH: folder };
    return new PythonClient(folder, spawn("python3", [driver], { env, stdio: "pipe" }));
  }

  /**
   * Calls an operation.
   * @param operation the client's name for it: `wallets.get_wallet`
   * @param named its arguments by name: `{ wallet_id: … }`
   */
  async call(
    access: PythonAccess,
    operation: string,
    named: Readonly<Record<string, unknown>>,
  ): Promise<PythonAnswer> {
    if (this.#hasEnded) throw this.#gone();
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#process.stdin.write(`${JSON.stringify({ access, operation, arguments: named })}\n`);
    });
    return answerSchema.parse(JSON.parse(line));
  }

  #gone(): Error {
    return new Error(`the Python driver has ended: ${this.#said}`);
  }

  async stop(): Promise<void> {
    this.#process.stdin.end();
    await this.#ended;
  }
}
