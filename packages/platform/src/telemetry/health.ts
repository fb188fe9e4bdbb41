/** A part that a process depends on, and whether it answers now. */
export interface HealthCheck {
  /** as in "database" */
  readonly name: string;
  readonly check: () => boolean | Promise<boolean>;
}

export interface HealthReport {
  readonly status: "serving" | "degraded" | "stopping";
  readonly parts: Readonly<Record<string, boolean>>;
}

export interface ProcessHealth {
  report(): Promise<HealthReport>;
  /** From now on the process says that it stops, so that nobody sends it new work. */
  stopping(): void;
}

/** The health of a process: serving when every part answers. A check that throws counts as one that says no. */
export const makeHealth = (checks: readonly HealthCheck[]): ProcessHealth => {
  let isStopping = false;
  return {
    report: async () => {
      const answers = await Promise.all(
        checks.map(async ({ name, check }): Promise<[string, boolean]> => [name, await answersNow(check)]),
      );
      const serving = answers.every(([, answer]) => answer);
      return {
        status: isStopping ? "stopping" : serving ? "serving" : "degraded",
        parts: Object.fromEntries(answers),
      };
    },
    stopping: () => {
      isStopping = true;
    },
  };
};

const answersNow = async (check: HealthCheck["check"]): Promise<boolean> => {
  try {
    return await check();
  } catch {
    return false;
  }
};
