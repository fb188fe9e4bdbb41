// Limits of the things whose lists are not paginated: a list response has all of them.

/** The most service accounts of an organisation that are not archived. */
export const MOST_SERVICE_ACCOUNTS = 500;
/** The most applications of an organisation that are not archived. */
export const MOST_APPLICATIONS = 500;
/** The most personal access tokens of a person that are not archived. */
export const MOST_PERSONAL_TOKENS = 100;
/** The most credentials of a person, active or not, without those of long-lived tokens. */
export const MOST_CREDENTIALS = 64;
/** The most credentials that sign for one service account. */
export const MOST_SERVICE_ACCOUNT_CREDENTIALS = 16;
/** The most permissions of one user, service account, token or application. */
export const MOST_ASSIGNMENTS = 64;
/**
 * The most operations in the permissions of all service accounts, applications and long-lived tokens of an
 * organisation together: a permission counts once for each identity that has it.
 */
export const MOST_MACHINE_OPERATIONS = 32_768;

// Limits of the groups of users, whose lists are paginated.

/** The most user groups of an organisation: the members of all that a policy names are read when the policy changes. */
export const MOST_USER_GROUPS = 100;
/** The most members of a user group. */
export const MOST_GROUP_MEMBERS = 1_000;
