/** The version of the package. CHANGELOG.md of the project says what has changed since another. */
export const version = "1.0.0";
