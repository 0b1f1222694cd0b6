/** The bundler and the tests import an HTML file as text. */
declare module '*.html' {
  const text: string;
  export default text;
}
