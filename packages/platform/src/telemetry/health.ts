/** A check of a service that the process depends on. */
export interface HealthCheck {
  /** for example "database" */
  readonly name: string;
  readonly check: () => boolean | Promise<boolean>;
}

export interface HealthReport {
  readonly status: "serving" | "degraded" | "stopping";
  readonly parts: Readonly<Record<string, boolean>>;
}

export interface ProcessHealth {
  report(): Promise<HealthReport>;
  /** Makes the process report that it stops, so that it gets no new work. */
  stopping(): void;
}

/** Makes the health of a process: "serving" if every check succeeds. A check that throws counts as failed. */
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
