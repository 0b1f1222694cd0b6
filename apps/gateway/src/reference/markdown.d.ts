/** The bundler and the tests import a guide as text. */
declare module '*.md' {
  const text: string;
  export default text;
}
