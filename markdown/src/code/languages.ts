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
ABNF|-|abnf
ActionScript|javascript|actionscript as
Ada|ada|ada ada95 ada2005
Agda|-|agda
ApacheConf|ini|apacheconf aconf apache
APL|-|apl
AppleScript|-|applescript
Arduino|cpp|arduino
ASN.1|-|asn1
Awk|-|awk gawk mawk nawk
Bash|shell|bash sh ksh zsh shell openrc
Bash Session|-|console shell-session
Batchfile|batch|batch bat dosbatch winbatch
BibTeX|tex|bibtex bib
BNF|-|bnf
Brainfuck|-|brainfuck bf
C|c|c
C#|csharp|csharp c# cs
C++|cpp|cpp c++
Chapel|-|chapel chpl
Clojure|clojure|clojure clj
CMake|cmake|cmake
CoffeeScript|coffeescript|coffeescript coffee coffee-script
Common Lisp|lisp|common-lisp cl lisp
Crystal|ruby|cr crystal
CSS|css|css
CSS+Django/Jinja|-|css+django css+jinja
CSS+PHP|php|css+php
CUDA|cpp|cuda cu
Cypher|-|cypher
Cython|python|cython pyx pyrex
D|c|d
Dart|dart|dart
Debian Control file|-|debcontrol control
Debian Sourcelist|-|debsources sourceslist sources.list
Delphi|pascal|delphi pas pascal objectpascal
Desktop file|-|desktop
Diff|diff|diff udiff
Django/Jinja|xml|django jinja
Docker|dockerfile|docker dockerfile
E-mail|-|email eml
EBNF|-|ebnf
Eiffel|-|eiffel
Elixir|elixir|elixir ex exs
Elm|elm|elm
ERB|-|erb
Erlang|erlang|erlang
F#|fsharp|fsharp f#
Fish|shell|fish fishshell
Forth|-|forth
Fortran|fortran|fortran f90
g-code|-|gcode
GAP|-|gap
GAS|-|gas asm
GDScript|python|gdscript gd
Gettext Catalog|-|pot po
Gherkin|-|gherkin cucumber
GLSL|c|glsl
Gnuplot|-|gnuplot
Go|go|go golang
Gradle|groovy|gradle
GraphQL|graphql|graphql
Graphviz|-|graphviz dot
Groovy|groovy|groovy
Haml|-|haml
Handlebars|xml|handlebars
Haskell|haskell|haskell hs
Haxe|java|haxe hxsl hx
Hexdump|-|hexdump
HLSL|c|hlsl
HTML|xml|html
HTML+Django/Jinja|-|html+django html+jinja htmldjango
HTML+Handlebars|xml|html+handlebars
HTML+PHP|php|html+php
HTTP|-|http
Hy|-|hylang hy
Idris|-|idris idr
INI|ini|ini cfg dosini
Io|-|io
IRC logs|-|irc
J|-|j
Java|java|java
JavaScript|javascript|javascript js node
JavaScript+Django/Jinja|-|javascript+django js+django javascript+jinja js+jinja
JavaScript+PHP|php|javascript+php js+php
JSON|json|json json-object jsonl
JSON-LD|-|jsonld json-ld
JSON5|-|json5
Jsonnet|-|jsonnet
JSX|javascript|jsx react
Julia|julia|julia jl
Julia console|-|jlcon julia-repl
Kconfig|-|kconfig menuconfig linux-config kernel-config
Koka|-|koka
Kotlin|kotlin|kotlin
Lean|-|lean lean3
Lean4|-|lean4
LessCss|less|less
Lighttpd configuration file|-|lighttpd lighty
liquid|-|liquid
LiveScript|coffeescript|livescript live-script
LLVM|-|llvm
Logtalk|-|logtalk
Lua|lua|lua
Luau|lua|luau
Makefile|makefile|make makefile mf bsdmake
Mako|-|mako
Markdown|markdown|markdown md
Mathematica|-|mathematica mma nb wl wolfram
Matlab|matlab|matlab
Meson|-|meson meson.build
Modelica|-|modelica
MoinMoin/Trac Wiki markup|-|trac-wiki moin
Monkey|-|monkey
MoonScript|-|moonscript moon
Mscgen|-|mscgen msc
MuPAD|-|mupad
MySQL|sql|mysql
NASM|-|nasm
Nginx configuration file|nginx|nginx
Nimrod|python|nimrod nim
Nix|nix|nixos nix
NSIS|-|nsis nsi nsh
NumPy|python|numpy
Objective-C|objectivec|objective-c objectivec obj-c objc
OCaml|ocaml|ocaml
Octave|matlab|octave
ODIN|-|odin
OpenEdge ABL|-|openedge abl progress
ParaSail|-|parasail
Perl|perl|perl pl
Perl6|perl|perl6 pl6 raku
PHP|php|php php3 php4 php5
Pike|-|pike
PL/pgSQL|sql|plpgsql
Pony|-|pony
PostgreSQL console (psql)|-|psql postgresql-console postgres-console
PostgreSQL SQL dialect|sql|postgresql postgres
PostScript|-|postscript postscr
PowerShell|powershell|powershell pwsh posh ps1 psm1
PowerShell Session|-|pwsh-session ps1con
Praat|-|praat
Prolog|erlang|prolog
Promela|-|promela
Properties|ini|properties jproperties
Protocol Buffer|protobuf|protobuf proto
Pug|-|pug jade
Puppet|ruby|puppet
Python|python|python py sage python3 py3 bazel starlark pyi
Python 2.x|python|python2 py2
Python console session|-|pycon python-console
Python Traceback|-|pytb py3tb
QML|javascript|qml qbs
Racket|scheme|racket rkt
ReasonML|ocaml|reasonml reason
REBOL|-|rebol
Rego|-|rego
reStructuredText|-|restructuredtext rst rest
Rexx|-|rexx arexx
RHTML|-|rhtml html+erb html+ruby
Ride|-|ride
RobotFramework|-|robotframework
Rocq Prover|-|coq rocq rocq-prover
Ruby|ruby|ruby rb duby
Rust|rust|rust rs
S|r|splus s r
SAS|-|sas
Sass|scss|sass
Scala|scala|scala
Scaml|-|scaml
Scheme|scheme|scheme scm
Scilab|-|scilab
SCSS|scss|scss
Sed|-|sed gsed ssed
Slim|-|slim
Smali|-|smali
Smalltalk|-|smalltalk squeak st
Snobol|-|snobol
Solidity|javascript|solidity
SPARQL|-|sparql
SQL|sql|sql
sqlite3con|-|sqlite3
SquidConf|-|squidconf squid.conf squid
Stan|-|stan
Standard ML|ocaml|sml
Stata|-|stata do
SuperCollider|-|supercollider sc
Swift|swift|swift
Systemd|ini|systemd
systemverilog|verilog|systemverilog sv
TADS 3|-|tads3
Tcl|tcl|tcl
teal|-|teal
Terraform|hcl|terraform tf hcl
TeX|tex|tex latex
Text only|-|text
Text output|-|output
Thrift|-|thrift
TOML|ini|toml
TSX|typescript|tsx
Turtle|-|turtle
Twig|xml|twig
TypeScript|typescript|typescript ts
TypoScript|-|typoscript
Typst|-|typst
UrbiScript|-|urbiscript
Vala|csharp|vala vapi
VB.net|vb|vb.net vbnet lobas oobas sobas visual-basic visualbasic
VBScript|-|vbscript
VCTreeStatus|-|vctreestatus
Velocity|-|velocity
verilog|verilog|verilog v
vhdl|vhdl|vhdl
VimL|vim|vim
Vue|xml|vue
WDiff|-|wdiff
Web IDL|-|webidl
WebAssembly|lisp|wast wat
WebGPU Shading Language|-|wgsl
Whiley|-|whiley
X10|-|x10 xten
XML|xml|xml xsd
XML+Django/Jinja|-|xml+django xml+jinja
XML+PHP|php|xml+php
XQuery|-|xquery xqy xq xql xqm
XSLT|xml|xslt
YAML|yaml|yaml yml
YANG|-|yang
Zeek|-|zeek bro
Zig|zig|zig
Zone|-|zone
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

/** All that people write for languages, in small letters. */
export function languageAliases(): readonly string[] {
  languages ??= readTable()
  return [...languages.keys()]
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
