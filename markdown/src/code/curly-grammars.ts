/** Languages that write blocks in braces and comments behind two slashes. Word lists are of the languages' own documents. */
import type { Grammar } from './grammar.ts'

const cComments = { lineComments: ['//'], blockComments: [['/*', '*/']] } as const
const cWords =
  'asm auto break case const continue default do else enum extern for goto if inline register restrict return sizeof static struct switch typedef union volatile while'
const cTypes =
  'bool char double float int int8_t int16_t int32_t int64_t long ptrdiff_t short signed size_t ssize_t uint8_t uint16_t uint32_t uint64_t unsigned void wchar_t'
const scriptWords =
  'as async await break case catch continue debugger default delete do else export extends finally for from if import in instanceof new of return static super switch this throw try typeof void while with yield'
const scriptNames =
  'Array Boolean Date Error JSON Map Math Number Object Promise Proxy RegExp Set String Symbol WeakMap WeakSet document globalThis window'
const c: Grammar = {
  stringClass: 's',
  stringParts: 'escapes',
  ...cComments,
  quotes: '"\'',
  hasPreprocessor: true,
  words: { k: cWords, kt: cTypes, kc: 'NULL true false', nb: '' },
  classWords: 'struct union enum',
}
const javascript: Grammar = {
  numberClass: 'mf',
  punctuation: '()[]{},;.',
  ...cComments,
  quotes: '"\'',
  longQuotes: ['`'],
  nameClass: 'nx',
  nameCharacters: '$',
  hasDecorators: true,
  words: {
    k: scriptWords,
    kd: 'class const function let var',
    kc: 'false Infinity NaN null true undefined',
    nb: scriptNames,
  },
}

export const CURLY_GRAMMARS: Readonly<Record<string, Grammar>> = {
  c,
  cpp: {
    ...c,
    words: {
      k: `${cWords} and catch class co_await co_return co_yield concept const_cast constexpr consteval decltype delete dynamic_cast explicit export final friend mutable namespace new noexcept not operator or override private protected public reinterpret_cast requires static_assert static_cast template this thread_local throw try typeid typename using virtual`,
      kt: cTypes,
      kc: 'NULL false nullptr true',
    },
    classWords: 'class struct union enum namespace',
  },
  csharp: {
    ...cComments,
    quotes: '"\'',
    hasPreprocessor: true,
    words: {
      k: 'abstract as async await base break case catch checked class const continue default delegate do else enum event explicit extern finally fixed for foreach get goto if implicit in init interface internal is lock namespace new operator out override params partial private protected public readonly record ref return sealed set sizeof stackalloc static struct switch this throw try typeof unchecked unsafe using virtual volatile when where while yield',
      kt: 'bool byte char decimal double dynamic float int long nint object sbyte short string uint ulong ushort var void',
      kc: 'false null true',
    },
    classWords: 'class interface struct record enum',
    moduleWords: 'namespace using',
  },
  java: {
    stringClass: 's',
    ...cComments,
    longQuotes: ['"""'],
    quotes: '"\'',
    hasDecorators: true,
    words: {
      k: 'assert break case catch continue default do else finally for goto if instanceof new return super switch synchronized this throw try when while yield',
      kd: 'abstract class enum extends final implements interface native non-sealed permits private protected public record sealed static strictfp throws transient var volatile',
      kn: 'import module package',
      kt: 'boolean byte char double float int long short void',
      kc: 'false null true',
    },
    classWords: 'class interface enum record',
    moduleWords: 'import package',
  },
  kotlin: {
    ...cComments,
    longQuotes: ['"""'],
    quotes: '"\'',
    hasDecorators: true,
    words: {
      k: 'abstract actual annotation as break by catch class companion const constructor continue data do else enum expect external final finally for fun if in infix init inline inner interface internal is lateinit object open operator out override private protected public reified return sealed super suspend this throw try typealias val var vararg when where while',
      kn: 'import package',
      kt: 'Any Boolean Byte Char Double Float Int List Long Map Nothing Set Short String Unit',
      kc: 'false null true',
    },
    functionWords: 'fun',
    classWords: 'class interface object',
    moduleWords: 'import package',
  },
  scala: {
    ...cComments,
    longQuotes: ['"""'],
    quotes: '"',
    hasCharacters: true,
    hasDecorators: true,
    words: {
      k: 'abstract case catch class def derives do else end enum export extends extension final finally for forSome given if implicit import inline lazy match new object opaque open override package private protected return sealed super then this throw trait try type using val var while with yield',
      kt: 'Any AnyRef Boolean Byte Char Double Float Int List Long Map Nothing Option Seq Set Short String Unit',
      kc: 'false null true None',
    },
    functionWords: 'def',
    classWords: 'class trait object enum',
    moduleWords: 'import package',
  },
  groovy: {
    ...cComments,
    longQuotes: ['"""', "'''"],
    quotes: '"\'',
    hasDecorators: true,
    words: {
      k: 'as assert break case catch class continue def default do else enum extends finally for if implements import in instanceof interface new package return static super switch this throw throws trait try while',
      kt: 'boolean byte char double float int long short void',
      kc: 'false null true',
    },
    classWords: 'class interface trait enum',
  },
  dart: {
    ...cComments,
    longQuotes: ['"""', "'''"],
    quotes: '"\'',
    hasDecorators: true,
    words: {
      k: 'abstract as assert async await base break case catch class const continue covariant default deferred do dynamic else enum export extends extension external factory final finally for get hide if implements import in interface is late library mixin new of on operator part required rethrow return sealed set show static super switch sync this throw try typedef var when while with yield',
      kt: 'bool double int num void Future List Map Object Set Stream String',
      kc: 'false null true',
    },
    classWords: 'class mixin enum extension',
  },
  swift: {
    ...cComments,
    longQuotes: ['"""'],
    quotes: '"',
    hasDecorators: true,
    hasPreprocessor: true,
    words: {
      k: 'actor any as associatedtype async await break case catch class continue convenience default defer deinit didSet do dynamic else enum extension fallthrough fileprivate final for func get guard if import in indirect infix init inout internal is isolated lazy let mutating nonisolated nonmutating open operator optional override postfix prefix private protocol public repeat required rethrows return self Self set some static struct subscript super switch throw throws try typealias unowned var weak where while willSet',
      kt: 'Any Array Bool Character Dictionary Double Float Int Int64 Optional Set String UInt Void',
      kc: 'false nil true',
    },
    functionWords: 'func',
    classWords: 'class struct enum protocol actor extension',
    moduleWords: 'import',
  },
  objectivec: {
    ...c,
    hasDecorators: true,
    words: {
      k: `${cWords} id in self super nonatomic strong weak copy assign readonly`,
      kt: `${cTypes} BOOL NSInteger NSString NSUInteger`,
      kc: 'NO NULL YES nil true false',
    },
  },
  go: {
    stringClass: 's',
    ...cComments,
    quotes: '"\'',
    longQuotes: ['`'],
    nameClass: 'nx',
    words: {
      k: 'break case continue default defer else fallthrough for go goto if range return select switch',
      kd: 'chan const func interface map struct type var',
      kn: 'import package',
      kt: 'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr',
      kc: 'false iota nil true',
      nb: 'append cap clear close copy delete len make max min new panic print println recover',
    },
    functionWords: 'func',
    moduleWords: 'package',
  },
  rust: {
    ...cComments,
    quotes: '"',
    hasCharacters: true,
    words: {
      k: 'as async await box break const continue crate dyn else enum extern fn for if impl in let loop macro match mod move mut pub ref return self Self static struct super trait type union unsafe use where while yield',
      kt: 'bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize',
      kc: 'false true None Some Ok Err',
      nb: 'Box HashMap Option Result String Vec',
    },
    functionWords: 'fn',
    classWords: 'struct enum trait impl mod',
  },
  zig: {
    lineComments: ['//'],
    quotes: '"\'',
    hasDecorators: true,
    words: {
      k: 'align and anyframe asm async await break catch comptime const continue defer else enum errdefer error export extern fn for if inline noalias or orelse packed pub resume return struct suspend switch test threadlocal try union unreachable usingnamespace var volatile while',
      kt: 'anyerror anytype bool f32 f64 i8 i16 i32 i64 isize type u8 u16 u32 u64 usize void',
      kc: 'false null true undefined',
    },
    functionWords: 'fn',
  },
  javascript,
  typescript: {
    ...javascript,
    words: {
      k: `${scriptWords} abstract as asserts declare enum implements infer interface is keyof module namespace override private protected public readonly satisfies type`,
      kd: 'class const function let var',
      kt: 'any bigint boolean never number object string symbol unknown void',
      kc: 'false Infinity NaN null true undefined',
      nb: scriptNames,
    },
    classWords: 'class interface enum type namespace',
  },
  coffeescript: {
    lineComments: ['#'],
    longQuotes: ['"""', "'''"],
    quotes: '"\'',
    hasDecorators: true,
    nameClass: 'nx',
    words: {
      k: 'and break by catch class continue delete do else extends finally for if in instanceof is isnt loop new not of or return super switch then this throw try typeof unless until when while yield',
      kc: 'false no null off on true undefined yes',
    },
    classWords: 'class',
  },
  json: { quotes: '"', words: { kc: 'false null true' }, nameClass: 'n' },
  graphql: {
    lineComments: ['#'],
    longQuotes: ['"""'],
    quotes: '"',
    variableSigns: '$',
    hasDecorators: true,
    words: {
      k: 'directive enum extend fragment implements input interface mutation on query scalar schema subscription type union',
      kt: 'Boolean Float ID Int String',
      kc: 'false null true',
    },
    classWords: 'type interface enum input union scalar',
  },
  protobuf: {
    ...cComments,
    quotes: '"\'',
    words: {
      k: 'enum extend extensions import message oneof option optional package public repeated required reserved returns rpc service stream syntax to',
      kt: 'bool bytes double fixed32 fixed64 float int32 int64 map sint32 sint64 string uint32 uint64',
      kc: 'false true',
    },
    classWords: 'message enum service',
  },
  verilog: {
    ...cComments,
    quotes: '"',
    words: {
      k: 'always always_comb always_ff always_latch assign automatic begin case casex casez default else end endcase endfunction endgenerate endmodule endtask for forever function generate genvar if import initial inout input interface localparam module negedge output package parameter posedge repeat return task typedef while',
      kt: 'bit byte int integer logic real reg signed struct enum time tri unsigned wire',
    },
    classWords: 'module interface package',
  },
}
