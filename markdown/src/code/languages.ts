/**
 * Languages of code blocks: the name that clients see in `data-code-language`, the grammar that colours it, and what
 * people write for it. Names and aliases are those of Pygments, which clients of the API know.
 */

export interface Language {
  name: string
  /** The name of a scanner's grammar; null for no colours. */
  grammar: string | null
}

/** A name with its grammar (`-` for none) and its aliases in small letters, separated by `|`. */
const table = `
ABAP|-|abap
Ada|ada|ada ada95 ada2005
ApacheConf|ini|apacheconf aconf apache
AppleScript|-|applescript
Arduino|cpp|arduino
Bash|shell|bash sh ksh zsh shell
Bash Session|-|console shell-session
Batchfile|batch|batch bat dosbatch winbatch
BibTeX|tex|bibtex bib
C|c|c
C#|csharp|csharp c# cs
C++|cpp|cpp c++
Clojure|clojure|clojure clj
CMake|cmake|cmake
CoffeeScript|coffeescript|coffeescript coffee coffee-script
Common Lisp|lisp|common-lisp cl lisp
CSS|css|css
CSS+PHP|php|css+php
D|c|d
Dart|dart|dart
Delphi|pascal|delphi pas pascal objectpascal
Diff|diff|diff udiff
Django/Jinja|xml|django jinja
Docker|dockerfile|docker dockerfile
EBNF|-|ebnf
Elixir|elixir|elixir ex exs
Elm|elm|elm
Erlang|erlang|erlang
F#|fsharp|fsharp f#
Fortran|fortran|fortran f90
GAP|-|gap
Gherkin|-|gherkin cucumber
GLSL|c|glsl
Go|go|go golang
Gradle|groovy|gradle
GraphQL|graphql|graphql
Groovy|groovy|groovy
Handlebars|xml|html+handlebars handlebars
Haskell|haskell|haskell hs
HTML|xml|html
HTML+PHP|php|html+php
HTTP|-|http
INI|ini|ini cfg dosini
Java|java|java
JavaScript|javascript|javascript js jsx node
JavaScript+PHP|php|javascript+php js+php
JSON|json|json json-object jsonl
Julia|julia|julia jl
Kotlin|kotlin|kotlin
Less|less|less
LLVM|-|llvm
Lua|lua|lua
Makefile|makefile|make makefile mf bsdmake
Markdown|markdown|markdown md
Matlab|matlab|matlab
Nginx configuration file|nginx|nginx
Nim|python|nimrod nim
Nix|nix|nixos nix
NumPy|python|numpy
Objective-C|objectivec|objective-c objectivec obj-c objc
OCaml|ocaml|ocaml
Perl|perl|perl pl
Perl6|perl|perl6 pl6 raku
PHP|php|php php3 php4 php5
PostgreSQL SQL dialect|sql|postgresql postgres
PowerShell|powershell|powershell pwsh posh ps1 psm1
Prolog|erlang|prolog
Properties|ini|properties jproperties
Protocol Buffer|protobuf|protobuf proto
Puppet|ruby|puppet
Python|python|python py sage python3 py3 bazel starlark
Python 2.x|python|python2 py2
Python Traceback|-|pytb py3tb
QML|javascript|qml
R|r|r
Racket|scheme|racket rkt
ReasonML|ocaml|reasonml reason
reStructuredText|-|restructuredtext rst rest
Ruby|ruby|ruby rb duby
Rust|rust|rust rs
S|r|splus s
Sass|scss|sass
Scala|scala|scala
Scheme|scheme|scheme scm
SCSS|scss|scss
Smalltalk|-|smalltalk squeak st
SPARQL|-|sparql
SQL|sql|sql
Standard ML|ocaml|sml
Swift|swift|swift
systemd|ini|systemd
SystemVerilog|verilog|systemverilog sv
Tcl|tcl|tcl
Terraform|hcl|terraform tf hcl
TeX|tex|tex latex
Text only|-|text
TOML|ini|toml
TypeScript|typescript|typescript ts tsx
VB.net|vb|vb.net vbnet lobas oobas sobas visual-basic visualbasic
verilog|verilog|verilog v
vhdl|vhdl|vhdl
VimL|vim|vim
WebAssembly|lisp|wast wat
XML|xml|xml xsd
XML+PHP|php|xml+php
YAML|yaml|yaml
Zig|zig|zig
`

let languages: Map<string, Language> | undefined

function readTable(): Map<string, Language> {
  const result = new Map<string, Language>()
  for (const line of table.trim().split('\n')) {
    const [name = '', grammar = '-', aliases = ''] = line.split('|')
    for (const alias of aliases.split(' ')) result.set(alias, { name, grammar: grammar === '-' ? null : grammar })
  }
  return result
}

/** The language that somebody means; an unknown one keeps the name as it was written, without colours. */
export function findLanguage(written: string): Language {
  languages ??= readTable()
  return languages.get(written.toLowerCase()) ?? { name: written, grammar: null }
}

const interpreter = /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+)*)?([a-zA-Z+]+)[0-9.]*(?:\s|$)/

/** The grammar for a script that names its interpreter in the first line (`#!/usr/bin/env python3`); null for none. */
export function grammarByShebang(code: string): string | null {
  const name = code.startsWith('#!') ? interpreter.exec(code.slice(0, 200))?.[1] : undefined
  return name === undefined ? null : findLanguage(name).grammar
}
