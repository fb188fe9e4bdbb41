import { readFileSync } from "node:fs";
import { ConfigurationError } from "./environment.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that a file may hold, as container orchestrators pass secrets: NAME_FILE is the path of the file. */
const SECRETS = ["CONCLAVE_NATS_TOKEN", "DATABASE_PASSWORD"] as const;

const contentOf = (name: string, path: string): string => {
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch {
    throw new ConfigurationError(
      `${name} names ${path}, which cannot be read: make the file, and let this user read it`,
    );
  }
};

/**
 * The environment, with the secrets read from the files that it names. A line break at the end of a file is dropped.
 *
 * @throws ConfigurationError for a file that cannot be read or is empty, and for a secret that is set both ways
 */
export const withSecretFiles = (environment: Environment): Environment => {
  const secrets = SECRETS.flatMap((name): readonly (readonly [string, string])[] => {
    const file = `${name}_FILE`;
    const path = environment[file] ?? "";
    if (path === "") return [];
    if ((environment[name] ?? "") !== "") {
      throw new ConfigurationError(`${name} and ${file} are both set: leave one out`);
    }
    const secret = contentOf(file, path);
    if (secret === "")
      throw new ConfigurationError(`${file} names ${path}, which is empty: write the secret into it`);
    return [[name, secret]];
  });
  return { ...environment, ...Object.fromEntries(secrets) };
};

/** The database's URL with the password from its own setting, which may have any characters. */
export const withDatabasePassword = ({
  DATABASE_URL: url,
  DATABASE_PASSWORD: password,
}: {
  readonly DATABASE_URL: string;
  readonly DATABASE_PASSWORD?: string | undefined;
}): string => {
  if (password === undefined) return url;
  const whole = new URL(url);
  whole.password = encodeURIComponent(password);
  return whole.href;
};
